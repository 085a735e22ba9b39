import { fileURLToPath } from 'node:url'
import { chatRecordings } from '../../e2e/relay/recordings/chat.ts'
import { messagesRecordings } from '../../e2e/relay/recordings/messages.ts'
import type { Recording } from '../../e2e/relay/recordings/recording.ts'
import { responsesRecordings } from '../../e2e/relay/recordings/responses.ts'
import { declaredSamples, type Sample } from './declared-types.ts'

type Json = Readonly<Record<string, unknown>>

/** A recorded reply with an object of a type that an official client declares, and the path to it. */
export interface DeclaredReply {
  readonly recording: Recording
  readonly stream: boolean
  readonly path: readonly (string | number)[]
}

const declared = (module: string, types: string, name: string): Sample[] =>
  declaredSamples(fileURLToPath(new URL(types, import.meta.resolve(module))), name)
const openai = 'openai'
const responses = './resources/responses/responses.d.ts'
const completions = './resources/chat/completions/completions.d.ts'
const anthropic = '@anthropic-ai/sdk'
const messages = './resources/messages/messages.d.ts'

/** A recorded reply for each object that the types of the official clients allow, whole and streamed. */
export function declaredReplies(): DeclaredReply[] {
  return [
    ...declared(openai, responses, 'ResponseOutputItem').flatMap(({ value }) => [itemIn(value), itemAmong(value)]),
    ...declared(openai, responses, 'ResponseStreamEvent').map(({ value }) => eventAmong(value)),
    ...declared(openai, completions, 'ChatCompletionMessage').map(({ value }) => messageIn(value)),
    ...declared(openai, completions, 'ChatCompletionChunk').map(({ value }) => chunkAmong(value)),
    ...declared(anthropic, messages, 'ContentBlock').flatMap(({ value }) => [blockIn(value), blockAmong(value)]),
    ...declared(anthropic, messages, 'RawContentBlockDelta').map(({ value }) => deltaAmong(value)),
    ...declared(anthropic, messages, 'RawMessageStreamEvent').map(({ value }) => messageEventAmong(value)),
  ]
}

const plain = (recordings: readonly Recording[]): Required<Pick<Recording, 'whole' | 'events'>> & Recording => {
  const found = recordings.find(({ whole, events, request }) => whole !== undefined && events !== undefined && request === undefined)
  if (found === undefined) throw new Error('no recording is plain')
  return found as Required<Pick<Recording, 'whole' | 'events'>> & Recording
}
const chat = plain(chatRecordings)
const message = plain(messagesRecordings)
const response = plain(responsesRecordings)

/** An item after those of a whole response. */
function itemIn(item: Json): DeclaredReply {
  const output = [...(response.whole.output as Json[]), item]
  return { recording: { ...response, whole: { ...response.whole, output } }, stream: false, path: ['output', output.length - 1] }
}

/** An item after those of a streamed response. */
function itemAmong(item: Json): DeclaredReply {
  const at = response.events.length - 1
  const added = { type: 'response.output_item.added', output_index: 1, sequence_number: at, item }
  const done = { type: 'response.output_item.done', output_index: 1, sequence_number: at + 1, item }
  return { ...among(response, at, [added, done]), path: [at + 1, 'item'] }
}

function eventAmong(event: Json): DeclaredReply {
  const at = response.events.length - 3
  return among(response, at, [{ ...event, sequence_number: at }])
}

function messageIn(value: Json): DeclaredReply {
  const [choice] = chat.whole.choices as { readonly message: Json }[]
  const own = { ...value, content: choice?.message.content }
  return {
    recording: { ...chat, whole: { ...chat.whole, choices: [{ ...choice, message: own }] } },
    stream: false,
    path: ['choices', 0, 'message'],
  }
}

function chunkAmong(chunk: Json): DeclaredReply {
  return among(chat, 2, [chunk])
}

function blockIn(block: Json): DeclaredReply {
  const content = [...(message.whole.content as Json[]), block]
  return { recording: { ...message, whole: { ...message.whole, content } }, stream: false, path: ['content', content.length - 1] }
}

/** A block before the end of a streamed message. */
function blockAmong(block: Json): DeclaredReply {
  const at = message.events.findIndex(({ type }) => type === 'message_delta')
  const start = { type: 'content_block_start', index: 1, content_block: block }
  return { ...among(message, at, [start, { type: 'content_block_stop', index: 1 }]), path: [at, 'content_block'] }
}

function deltaAmong(delta: Json): DeclaredReply {
  const at = message.events.findIndex(({ type }) => type === 'content_block_delta') + 1
  return { ...among(message, at, [{ type: 'content_block_delta', index: 0, delta }]), path: [at, 'delta'] }
}

function messageEventAmong(event: Json): DeclaredReply {
  const at = message.events.findIndex(({ type }) => type === 'content_block_delta') + 1
  return among(message, at, [event])
}

function among(recording: Recording, at: number, added: readonly Json[]): DeclaredReply {
  const events = [...(recording.events ?? [])]
  events.splice(at, 0, ...added)
  return { recording: { ...recording, events }, stream: true, path: [at] }
}
