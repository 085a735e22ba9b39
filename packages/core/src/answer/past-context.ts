import { type Fields, field, isFields } from './tool-shapes/fields.ts'
import { conversationIn, type PastCall, readTranscript } from './transcript.ts'

interface Told {
  readonly param: string
  readonly value: unknown
}

/**
 * Reads the calls before an answer, and the expected ones, from a request, for the context of its checks.
 *
 * Both are in the request itself or in its `context`; without a `transcript` the conversation in `messages` or
 * `input` is read.
 * `wrong` makes the error for an invalid field. To a `conversation`, which the contract's owner trusts more, a
 * `transcript` only adds; it is a list of messages, or the body of a request that holds one.
 */
export function pastContext(
  request: Fields,
  wrong: (param: string, message: string) => Error,
  conversation?: readonly unknown[] | Fields,
): Fields {
  const past: Record<string, unknown> = {}
  const transcript = told(request, 'transcript')
  if (transcript !== undefined && !Array.isArray(transcript.value) && !isFields(transcript.value))
    throw wrong(transcript.param, 'must be a conversation, or a list of {name, ok}')
  const before = transcript && conversation ? callsIn(transcript, wrong) : undefined
  const given = isList(conversation)
    ? before && [...before, ...conversation]
    : conversation
      ? conversationOf(conversation, before)
      : (transcript?.value ?? conversationOf(request))
  const { calls, gap, unread } = readTranscript(given)
  // What cannot be read is left to the check, which says so if it needs it.
  if (gap !== undefined || unread !== undefined) past.transcript = given
  else if (transcript !== undefined || calls.length > 0) past.transcript = calls
  const expected = told(request, 'expected_sequence')
  if (expected === undefined) return past
  if (!isNames(expected.value)) throw wrong(expected.param, 'must be a list of names')
  return { ...past, expected_sequence: expected.value }
}

/** What a request says of the conversation before it, after the calls of a transcript. */
function conversationOf(request: Fields, before: readonly PastCall[] = []): Fields {
  const { previous_response_id, conversation } = request
  const messages = conversationIn(request)?.given ?? []
  return { messages: before.length > 0 && isList(messages) ? [...before, ...messages] : messages, previous_response_id, conversation }
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}

/** The calls of a transcript that must be complete. */
function callsIn({ param, value }: Told, wrong: (param: string, message: string) => Error): readonly PastCall[] {
  const { calls, gap, unread } = readTranscript(value)
  if (gap !== undefined) throw wrong(param, 'must hold all of its calls')
  if (unread !== undefined) throw wrong(param, `cannot be read: ${unread}`)
  return calls
}

/** Whether a value is a list of names. */
export function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string')
}

function told(request: Fields, name: string): Told | undefined {
  const own = field(request, name) ?? undefined
  if (own !== undefined) return { param: name, value: own }
  const value = field(field(request, 'context'), name) ?? undefined
  return value === undefined ? undefined : { param: `context.${name}`, value }
}
