import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fullIssue, fullRun, sampleRun, wholeRun } from '../../../testing/store-fixtures.ts'
import type { AttemptRecord, RunRecord } from '../../run/run-record.ts'
import { lineOfRun } from '../journal/line.ts'
import { readAny, readPlain, readWritten } from './read-written.ts'

const hostile = [
  '',
  'a"b',
  '\\',
  '\\"',
  '\u0000',
  '\n',
  '\u007f',
  '\u2028',
  'é',
  '😀',
  '\ud800',
  '\udfff x',
  '}',
  ']}',
  '__proto__',
  '1',
  '","ms":1,"x":"',
]
const long = ['x'.repeat(255), 'x'.repeat(257), '😀'.repeat(128), `${'x'.repeat(255)}😀`]
const word = fc.oneof(
  fc.constantFrom(...hostile),
  fc.constantFrom(...long),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.constant('usual'),
)
const amount = fc.oneof(
  fc.nat(),
  fc.double({ min: 0, max: 1e6, noNaN: true }),
  fc.constantFrom(2 ** 53, 2 ** 53 - 1, 0.5, 1e20),
  fc.constantFrom(-0, -1, 1e21, 1e-7, 5e-324, 1e300, Number.NaN, Number.POSITIVE_INFINITY),
)
const usage = fc.record(
  { promptTokens: amount, completionTokens: amount, cost: amount, estimated: fc.boolean() },
  { requiredKeys: ['promptTokens', 'completionTokens'] },
)
const attempt = fc.record(
  {
    number: amount,
    call: word,
    ms: amount,
    finishReason: word,
    usage,
    issues: fc.oneof({ arbitrary: fc.constant([]), weight: 9 }, fc.constant([fullIssue])),
    stoppedAt: amount,
    decision: word,
    failure: word,
    stderr: word,
    text: word,
  },
  { requiredKeys: ['number', 'call', 'ms', 'issues'] },
) as unknown as fc.Arbitrary<AttemptRecord>
const rare = ['session', 'firstTextMs', 'facts', 'delivered', 'request', 'text', 'failure']
const changes = fc.record({
  requestId: word,
  choice: amount,
  at: amount,
  ms: amount,
  api: word,
  stream: fc.boolean(),
  model: word,
  contract: word,
  upstream: word,
  upstreamModel: word,
  key: word,
  status: word,
  reason: word,
  httpStatus: amount,
  usage,
  session: word,
  firstTextMs: amount,
  facts: fc.dictionary(word, word, { maxKeys: 3 }),
  delivered: fc.boolean(),
  request: word,
  text: word,
  failure: fc.constant({ kind: 'http', message: 'no', status: 500 }),
  issues: fc.constant([fullIssue]),
  repairs: fc.constant(fullRun(1).repairs),
  attempts: fc.array(attempt, { maxLength: 3 }),
})
/** Few changes at a time, so that many lines stay plain. */
const run = fc
  .tuple(changes, fc.uniqueArray(fc.constantFrom(...Object.keys(sampleRun(1)).filter((key) => key !== 'id'), ...rare), { maxLength: 3 }))
  .map(([changed, keys]) =>
    sampleRun(1, Object.fromEntries(Object.entries(changed).filter(([key]) => keys.includes(key))) as Partial<RunRecord>),
  )

test('a line says the same whether it is read with JSON or without', () => {
  let plain = 0
  fc.assert(
    fc.property(run, fc.boolean(), (one, keepText) => {
      const { line } = lineOfRun(one, keepText)
      if (readPlain(line)) plain++
      expect(readWritten(line)).toStrictEqual(readAny(line))
    }),
    { numRuns: 2000 },
  )
  expect(plain).toBeGreaterThan(500)
})

const attempts: readonly AttemptRecord[] = [
  { number: 1, call: 'run', ms: 1.5, issues: [], decision: 'failed', failure: 'timeout' },
  {
    number: 2,
    call: 'continue',
    ms: 11,
    issues: [],
    finishReason: 'stop',
    usage: { promptTokens: 1, completionTokens: 2, cost: 0.5, estimated: true },
  },
]

test.each<[string, Partial<RunRecord>]>([
  ['a simple run', {}],
  ['a retried run', { attempts }],
  ['a stream of a session', { stream: true, session: 'größe 😀', firstTextMs: 4.25, delivered: true }],
  ['facts', { facts: { step: 'why', other: 'x' }, delivered: false }],
  ['estimated usage', { usage: { promptTokens: 1, completionTokens: 2, cost: 0.25, estimated: true } }],
])('%s is read without JSON', (_, changes) => {
  const { line } = lineOfRun(sampleRun(1, changes), true)
  expect(readPlain(line)).toStrictEqual(rowOf(line))
})

test.each([
  ['a run with everything', lineOfRun(wholeRun(1), true).line],
  ['a run with issues', lineOfRun(fullRun(1), false).line],
  ['a run with more behind it', `${lineOfRun(sampleRun(1), true).line} `],
  ['an audit row', '{"audit":{"id":"a","at":1,"row":{}}}'],
])('%s is left to JSON', (_, line) => {
  expect(readPlain(line)).toBeUndefined()
})

function rowOf(line: string): unknown {
  const entry = readAny(line)
  return entry.kind === 'run' ? entry.rows.run : undefined
}
