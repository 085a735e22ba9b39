import { fitOpenAi } from '../shared/structured-output.ts'
import type { Wire } from '../shared/wire.ts'
import { askResponses } from './ask-responses.ts'
import { passResponse, passResponseEvent } from './pass-response.ts'
import { readResponse } from './read-response.ts'
import { ResponseReader } from './response-reader.ts'
import { chatUsage } from './response-usage.ts'
import { ResponseWriter } from './response-writer.ts'
import { writeResponse } from './write-response.ts'

/** How OpenAI's Responses API looks on the wire. */
export const responsesWire: Wire = {
  api: 'responses',
  path: '/responses',
  noArguments: '{}',
  readWhole: readResponse,
  readStream: (listener) => new ResponseReader(listener),
  writeStream: (out) => new ResponseWriter(out),
  writeWhole: writeResponse,
  passEvent: passResponseEvent,
  passReply: passResponse,
  ask: askResponses,
  fitSchema: fitOpenAi,
  chatUsage,
}
