import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fullIssue, fullRun, sampleRun, wholeRun } from '../../../testing/store-fixtures.ts'
import type { RunRecord } from '../../run/run-record.ts'
import { entryOfAudit, entryOfRun, readLine } from './line.ts'

const policy = { keepText: true, keepAuditText: true }

/** Runs in which everything that can be absent is, or is not. */
const runs = fc
  .record(
    {
      session: fc.string({ unit: 'binary' }),
      firstTextMs: fc.double(),
      facts: fc.dictionary(fc.string(), fc.string()),
      request: fc.string({ unit: 'binary' }),
      text: fc.string({ unit: 'binary' }),
      model: fc.string({ unit: 'binary', maxLength: 400 }),
      key: fc.string({ unit: 'binary', maxLength: 400 }),
      // JSON has no -0.
      at: fc.double().filter((at) => !Object.is(at, -0)),
      stream: fc.boolean(),
      issues: fc.constantFrom([], [fullIssue]),
      repairs: fc.constantFrom([], fullRun(1).repairs),
      unchecked: fc.constantFrom([], fullRun(1).unchecked),
      attempts: fc.constantFrom([], wholeRun(1).attempts, sampleRun(1).attempts),
      failure: fc.constantFrom({ kind: 'http', message: 'bad "gateway"\n' }, { kind: 'timeout', message: '', status: 504 }),
      usage: fc.constantFrom(wholeRun(1).usage, { promptTokens: Number.NaN, completionTokens: 1e300 }),
    },
    { requiredKeys: [] },
  )
  .map((changes) => sampleRun(1, changes as Partial<RunRecord>))

describe.each([true, false])('a line of a run (texts are kept: %s)', (keepText) => {
  test('says after it was read what it said when it was written', () => {
    fc.assert(
      fc.property(runs, (run) => {
        const entry = entryOfRun(run, { keepText })
        const line = JSON.stringify(entry)
        expect(line).not.toContain('\n')
        expect([readLine(line), readLine(line, policy)]).toEqual([entry, entry])
      }),
    )
  })

  test.each([
    ['this', JSON.stringify(entryOfRun({ ...fullRun(1), request: 'warum' }, policy))],
    ['an earlier', JSON.stringify({ run: { ...fullRun(1), request: 'warum' } })],
  ])('has no text that may not be kept, if %s version wrote it', (_, line) => {
    const read = JSON.stringify(readLine(line, { keepText, keepAuditText: true }))
    for (const text of ['eins', 'zwei', 'kürzer', 'warum']) expect(read.includes(text)).toBe(keepText)
  })
})

test('a line of an audit row says after it was read what it said when it was written', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 50 }), fc.dictionary(fc.string(), fc.jsonValue()), (id, row) => {
      const entry = entryOfAudit({ id, at: 5, row }, policy)
      const [line, earlier] = [entry, { audit: { id, at: 5, row } }].map((one) => JSON.stringify(one)) as [string, string]
      expect([readLine(line), readLine(line, policy), readLine(earlier, policy)]).toEqual([entry, entry, entry])
    }),
  )
})

test.each(['', 'null', '{}', '[]', '7', '{"run":{"id":"x"}}', '{"audit":null}', '{"runs":[]}', '{"runs":[{"id":7}]}', '{"audits":[{}]}'])(
  'a line with %j is not one that was written',
  (line) => {
    expect([readLine(line), readLine(line, policy)]).toEqual([undefined, undefined])
  },
)
