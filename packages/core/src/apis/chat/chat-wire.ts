import { fitOpenAi } from '../shared/structured-output.ts'
import type { Wire } from '../shared/wire.ts'
import { askChat } from './ask-chat.ts'
import { ChatReader } from './chat-reader.ts'
import { passChunk, passCompletion } from './chat-references.ts'
import { readCompletion } from './read-completion.ts'
import { ChunkWriter, repeatedWriter, writeCompletion } from './write-chat.ts'

/** How OpenAI's chat completions look on the wire. */
export const chatWire: Wire = {
  api: 'chat',
  path: '/chat/completions',
  last: '[DONE]',
  noArguments: '{}',
  readWhole: readCompletion,
  readStream: (listener) => new ChatReader(listener),
  writeStream: (out) => new ChunkWriter(out),
  repeatedWriter,
  writeWhole: writeCompletion,
  passEvent: passChunk,
  passReply: passCompletion,
  ask: askChat,
  fitSchema: fitOpenAi,
}
