import fc from 'fast-check'
import { chatRecordings } from '../../e2e/relay/recordings/chat.ts'
import { messagesRecordings } from '../../e2e/relay/recordings/messages.ts'
import type { Recording } from '../../e2e/relay/recordings/recording.ts'
import { responsesRecordings } from '../../e2e/relay/recordings/responses.ts'
import { declaredReplies } from './declared-replies.ts'

type Path = readonly (string | number)[]

/** A reply of a provider, whole or streamed, in which one place was changed. */
export interface OddReply {
  readonly recording: Recording
  readonly stream: boolean
  /** The place, and what is there now; undefined where nothing was changed. */
  readonly changed?: { readonly path: Path; readonly value: unknown }
}

/** What none of the recordings says. */
export const canary = 'CANARY'

const word = `The ${canary} sings.`
/** In place of a text: another one, and values of every other type. */
const others: readonly unknown[] = [
  word,
  [word],
  [[word]],
  [{ type: 'text', text: word }],
  { type: 'text', text: word, value: word },
  4711,
  true,
  null,
]
/** Members in which clients have texts and calls. */
const members = [
  ...['content', 'text', 'refusal', 'parsed', 'output_text', 'output_parsed', 'parsed_output', 'arguments', 'parsed_arguments', 'input'],
  ...[
    'name',
    'delta',
    'partial_json',
    'message',
    'output',
    'item',
    'part',
    'response',
    'function_call',
    'tool_calls',
    'logprobs',
    'transcript',
  ],
]

const recordings = [...chatRecordings, ...messagesRecordings, ...responsesRecordings].filter(
  ({ status, isCut, breaks }) => status === undefined && !isCut && !breaks,
)

/** Replies in which one text is something else, or one object has a member more. */
export const oddReplies: fc.Arbitrary<OddReply> = fc
  .record({
    recording: fc.constantFrom(...recordings),
    prefersStream: fc.boolean(),
    position: fc.nat(),
    value: fc.constantFrom(...others),
    member: fc.option(fc.constantFrom(...members)),
  })
  .map(({ recording, prefersStream, position, value, member }) => {
    const stream = recording.whole === undefined || (prefersStream && recording.events !== undefined)
    const places = [...placesIn(stream ? recording.events : recording.whole, member !== null)]
    const found = places[position % places.length] ?? []
    const path = member === null ? found : [...found, member]
    return { recording: changedRecording(recording, stream, path, value), stream, changed: { path, value } }
  })

/** Replies with an object of a type that an official client declares, in which one text is something else. */
export const oddDeclaredReplies = (): fc.Arbitrary<OddReply> =>
  fc
    .record({ reply: fc.constantFrom(...declaredReplies()), position: fc.nat(), value: fc.constantFrom(...others) })
    .map(({ reply: { recording, stream, path: holder }, position, value }) => {
      let held: unknown = stream ? recording.events : recording.whole
      for (const key of holder) held = (held as Record<string | number, unknown>)[key]
      const places = [...placesIn(held, false)]
      const path = [...holder, ...(places[position % places.length] ?? [])]
      return { recording: changedRecording(recording, stream, path, value), stream, changed: { path, value } }
    })

/** What a contract with `sensitive` must not let through. */
export const secret = 'jane@other.org'

/** Members that nobody reads, and that providers compare with what they have sent; pictures and sounds are bytes. */
const unread = new Set(
  (
    'type id item_id call_id caller_id tool_use_id file_id container_id status role object model signature encrypted_content ' +
    'encrypted_index data obfuscation partial_image_b64 result format'
  ).split(' '),
)

/** Replies with an object of a declared type, in which one text that somebody reads has a secret. */
export const secretReplies = (): fc.Arbitrary<OddReply> =>
  fc
    .record({ reply: fc.constantFrom(...declaredReplies()), position: fc.nat() })
    .map(({ reply: { recording, stream, path: holder }, position }) => {
      let held: unknown = stream ? recording.events : recording.whole
      for (const key of holder) held = (held as Record<string | number, unknown>)[key]
      const isSound = /audio/.test(String((held as { readonly type?: unknown }).type))
      const places = isSound
        ? []
        : [...placesIn(held, false)].filter((path) => !unread.has(String(path.findLast((step) => typeof step === 'string'))))
      const found = places[position % places.length]
      if (found === undefined) return { recording, stream }
      const [path, value] = [[...holder, ...found], `Mail ${secret} now.`]
      return { recording: changedRecording(recording, stream, path, value), stream, changed: { path, value } }
    })

/** The paths to all texts, or to all objects. */
function* placesIn(value: unknown, isObject: boolean, path: Path = []): Generator<Path> {
  if (typeof value === 'string' && !isObject) yield path
  if (typeof value !== 'object' || value === null) return
  if (isObject && !Array.isArray(value)) yield path
  for (const [key, inner] of Object.entries(value)) {
    // The input of a tool is judged as JSON, whatever is in it.
    if (key === 'input' && typeof inner === 'object') continue
    yield* placesIn(inner, isObject, [...path, Array.isArray(value) ? Number(key) : key])
  }
}

function changedRecording(recording: Recording, stream: boolean, path: Path, value: unknown): Recording {
  const copy = structuredClone(recording) as { whole?: unknown; events?: unknown }
  let holder = (stream ? copy.events : copy.whole) as Record<string | number, unknown>
  for (const key of path.slice(0, -1)) holder = holder[key] as Record<string | number, unknown>
  const last = path.at(-1)
  if (last !== undefined) holder[last] = value
  return copy as Recording
}
