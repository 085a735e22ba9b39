import { type Fields, field, isFields } from './tool-shapes/fields.ts'
import { readTranscript } from './transcript.ts'

/**
 * What a request tells of the calls before an answer, and of those that are expected, for the context of its checks.
 *
 * Both stand in the request itself or in its `context`; without a `transcript` the conversation in `messages` or `input` is read.
 * `wrong` makes the error for a field that cannot be right.
 */
export function pastContext(request: Fields, wrong: (param: string, message: string) => Error): Fields {
  const past: Record<string, unknown> = {}
  const transcript = told(request, 'transcript')
  if (transcript !== undefined && !Array.isArray(transcript.value) && !isFields(transcript.value))
    throw wrong(transcript.param, 'must be a conversation, or a list of {name, ok}')
  const { calls, gap } = readTranscript(transcript?.value ?? request)
  if (gap !== undefined) past.transcript = transcript?.value ?? { previous_response_id: gap }
  else if (transcript !== undefined || calls.length > 0) past.transcript = calls
  const expected = told(request, 'expected_sequence')
  if (expected === undefined) return past
  if (!isNames(expected.value)) throw wrong(expected.param, 'must be a list of names')
  return { ...past, expected_sequence: expected.value }
}

/** Whether a value is a list of names. */
export function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string')
}

function told(request: Fields, name: string): { readonly param: string; readonly value: unknown } | undefined {
  const own = field(request, name) ?? undefined
  if (own !== undefined) return { param: name, value: own }
  const value = field(field(request, 'context'), name) ?? undefined
  return value === undefined ? undefined : { param: `context.${name}`, value }
}
