import { expect, test } from 'vitest'
import { leavesOf, mayReason } from './reasoned-texts.ts'

const stopped = (sequence: unknown) => ({ type: 'message_delta', delta: { stop_reason: 'stop_sequence', stop_sequence: sequence } })

test.each([
  ['no white space', (json: string) => json],
  ['a space', (json: string) => json.replaceAll(':', ': ')],
  ['spaces on both sides', (json: string) => json.replaceAll('":', '" : ')],
  ['tabs', (json: string) => json.replaceAll('":', '"\t:\t')],
  ['line breaks', (json: string) => json.replaceAll('":', '"\r\n:\n')],
  ['indentation', (json: string) => JSON.stringify(JSON.parse(json), null, 2)],
])('a text at stop_sequence is looked for with %s around the colon', (_name, write) => {
  const said = write(JSON.stringify(stopped('jane@acme.com')))
  expect(mayReason(said)).toBe(true)
  expect(leavesOf(JSON.parse(said)).map(({ text }) => text)).toContain('jane@acme.com')
  // Nearly all messages have none, and are not read again.
  expect(mayReason(write(JSON.stringify(stopped(null))))).toBe(false)
})
