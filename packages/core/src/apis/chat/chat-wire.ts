import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import { withInstructions } from '../../engine/attempt/instructed-prompt.ts'
import type { Message } from '../../engine/runner.ts'
import { editJson, type JsonEdit } from '../../json/edit-json.ts'
import { memberReferences, type Passes, type PlacedReference, withoutReferences } from '../shared/references.ts'
import { chatFormat, fitOpenAi } from '../shared/structured-output.ts'
import type { Wire, WireEvent, WireReply, WireRequest, WireTurns } from '../shared/wire.ts'
import { type ChatEvent, ChatReader } from './chat-reader.ts'
import { type ChatReply, readCompletion } from './read-completion.ts'
import { ChunkWriter, repeatedWriter, writeCompletion } from './write-chat.ts'

/** The wire format of OpenAI's chat completions. */
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

/** Fields defined by the API, which are checked or have no references. */
const own = new Set(
  'id object created model choices usage system_fingerprint service_tier index delta message finish_reason logprobs role content refusal tool_calls function_call audio'.split(
    ' ',
  ),
)

/** Providers put references under many names, so every field that the API does not define may have one. */
function chatReferences(reply: Fields): readonly PlacedReference[] {
  const found: PlacedReference[] = []
  addOthers(found, reply)
  const choices: readonly unknown[] = Array.isArray(reply.choices) ? reply.choices : []
  for (let at = 0; at < choices.length; at++) {
    const choice = choices[at]
    if (!isFields(choice)) continue
    addOthers(found, choice, 'choices', at)
    if (isFields(choice.delta)) addOthers(found, choice.delta, 'choices', at, 'delta')
    if (isFields(choice.message)) addOthers(found, choice.message, 'choices', at, 'message')
  }
  return found
}

/** Creates nothing if there are none, as in nearly every event. */
function addOthers(found: PlacedReference[], holder: Fields, ...path: readonly (string | number)[]): void {
  for (const name in holder) if (!own.has(name)) for (const one of memberReferences(holder, name, path)) found.push(one)
}

/** A chunk without the rejected references. */
function passChunk(event: WireEvent, passes: Passes): WireEvent {
  const data = withoutReferences(event.data, chatReferences((event as ChatEvent).chunk), passes) ?? event.data
  return data === event.data ? event : ({ ...event, data, chunk: JSON.parse(data) as Fields } as ChatEvent)
}

/** The same for a completion. */
function passCompletion(reply: WireReply, passes: Passes): WireReply {
  const body = withoutReferences(reply.body, chatReferences((reply as ChatReply).reply), passes) ?? reply.body
  return body === reply.body ? reply : ({ ...reply, body, reply: JSON.parse(body) as Fields } as ChatReply)
}

/** The JSON of a chat completions request with the engine's additions. */
function askChat({ source, body }: WireRequest, added: WireTurns): string {
  const edits: JsonEdit[] = []
  for (const name of Object.keys(body)) {
    if (added.withheld?.has(name) || (added.single && (name === 'n' || name === 'best_of'))) edits.push({ path: [name], json: undefined })
  }
  if (added.model !== undefined && added.model !== body.model) edits.push({ path: ['model'], json: JSON.stringify(added.model) })
  const messages: readonly unknown[] = Array.isArray(body.messages) ? body.messages : []
  if (added.instructions) {
    const told = withInstructions(messages as readonly Message[], added.instructions)
    const at = messages.findIndex((message, index) => message !== told[index])
    if (told.length > messages.length) insert(edits, 0, told[0])
    else edits.push({ path: ['messages', at], json: JSON.stringify(told[at]) })
  }
  if (added.anew !== undefined) anew(edits, messages, added.anew)
  for (const turn of added.turns) insert(edits, messages.length, turn)
  if (added.format !== undefined) edits.push({ path: ['response_format'], json: JSON.stringify(chatFormat(added.format)) })
  if (added.usage && body.stream === true) {
    if (isFields(body.stream_options)) edits.push({ path: ['stream_options', 'include_usage'], json: 'true' })
    else edits.push({ path: ['stream_options'], json: '{"include_usage":true}' })
  }
  return editJson(source, edits)
}

function insert(edits: JsonEdit[], at: number, message: unknown): void {
  edits.push({ path: ['messages', at], json: JSON.stringify(message), isNew: true })
}

/** Puts feedback before the last user message. */
function anew(edits: JsonEdit[], messages: readonly unknown[], feedback: string): void {
  const at = messages.findLastIndex((message) => isFields(message) && message.role === 'user')
  if (at < 0) {
    insert(edits, messages.length, { role: 'user', content: feedback })
    return
  }
  const { content } = messages[at] as Fields
  const before = `${feedback}\n\n`
  if (Array.isArray(content)) {
    edits.push({ path: ['messages', at, 'content', 0], json: JSON.stringify({ type: 'text', text: before }), isNew: true })
  } else edits.push({ path: ['messages', at, 'content'], json: JSON.stringify(content ? before + String(content) : feedback) })
}
