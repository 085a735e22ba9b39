import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fullIssue, fullRun, sampleRun, wholeRun } from '../../../testing/store-fixtures.ts'
import type { RunRecord } from '../../run/run-record.ts'
import { keptRun } from '../../run/stored-record.ts'
import { readWritten } from '../rows/read-written.ts'
import { auditLine, lineOfRun, readLine, runLine } from './line.ts'

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
        const { line, entry } = runLine(run, keepText)
        expect(line).not.toContain('\n')
        expect(readLine(line, policy)).toEqual(entry)
        expect(readWritten(line)).toEqual(entry)
        expect(lineOfRun(run, keepText)).toEqual({ line })
      }),
    )
  })

  test('has all that is kept of the run', () => {
    const { run } = JSON.parse(runLine(wholeRun(1), keepText).line)
    expect(run).toEqual(JSON.parse(JSON.stringify(keptRun(wholeRun(1), keepText))))
  })

  test('has no text that may not be kept, whoever wrote it', () => {
    const { line } = runLine({ ...fullRun(1), request: 'warum' }, true)
    const read = JSON.stringify(readLine(line, { keepText, keepAuditText: true }))
    for (const text of ['eins', 'zwei', 'kürzer', 'warum']) expect(read.includes(text)).toBe(keepText)
  })
})

test.each<[keyof RunRecord, unknown]>([
  ['api', 'messages'],
  ['stream', true],
  ['contract', 'strict'],
  ['upstream', 'second'],
  ['upstreamModel', 'small-2027'],
  ['model', 'large'],
  ['model', 'x'.repeat(2000)],
])('the line of a run has its own %s, whatever runs before it had', (name, value) => {
  for (const changes of [{}, { [name]: value }, { [name]: value }, {}]) {
    const run = sampleRun(1, changes)
    expect(JSON.parse(lineOfRun(run, true).line).run).toMatchObject(run)
  }
})

test('a line of an audit row says after it was read what it said when it was written', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 50 }), fc.dictionary(fc.string(), fc.jsonValue()), (id, row) => {
      const { line, entry } = auditLine({ id, at: 5, row })
      expect(readLine(line, policy)).toEqual(entry)
      expect(readWritten(line)).toEqual(entry)
    }),
  )
})

test.each(['', 'null', '{}', '[]', '{"run":{"id":"x"}}', '{"audit":null}'])('a line with %j is not one that was written', (line) => {
  expect(() => readWritten(line)).toThrow()
})
