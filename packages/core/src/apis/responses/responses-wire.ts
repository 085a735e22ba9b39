import type { Fields } from '../../answer/tool-shapes/fields.ts'
import { type Passes, withoutReferences } from '../shared/references.ts'
import { fitOpenAi } from '../shared/structured-output.ts'
import type { Wire, WireEvent, WireReply } from '../shared/wire.ts'
import { askResponses } from './ask-responses.ts'
import { type ResponseReply, readResponse } from './read-response.ts'
import { type ResponseEvent, ResponseReader } from './response-reader.ts'
import { eventReferences, outputReferences } from './response-references.ts'
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

/** An event without the references that do not pass; undefined when it is one. */
function passResponseEvent(event: WireEvent, passes: Passes): WireEvent | undefined {
  const { type, fields } = event as ResponseEvent
  const data = withoutReferences(event.data, eventReferences(type, fields), passes)
  if (data === event.data) return event
  return data === undefined ? undefined : ({ ...event, data, fields: JSON.parse(data) as Fields } as ResponseEvent)
}

/** The same for a whole response. */
function passResponse(reply: WireReply, passes: Passes): WireReply {
  const { response, body: given } = reply as ResponseReply
  const body = withoutReferences(given, outputReferences(response.output, ['output']), passes) ?? given
  return body === given ? reply : ({ ...reply, body, response: JSON.parse(body) as Fields } as ResponseReply)
}
