import { expect, it, test } from 'vitest'
import { recordingFixtures as fixtures } from '../testing/recording-fixtures.ts'
import { runCli } from '../testing/run-cli.ts'

const check = ['check', '--jsonl', '--check', 'max_words={"limit":3}']
const results = (stdout: string): { id: unknown; status?: string; error?: { message: string } }[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: unknown })

const whole = fixtures.filter(({ format }) => format !== 'batch-requests')

test.each(whole.map((fixture) => [`${fixture.format}: ${fixture.what}`, fixture] as const))('%s', async (_, { record, reads }) => {
  for (const indent of [0, 2]) {
    const { stdout } = await runCli([...check, '-'], { stdin: `${JSON.stringify(record, null, indent)}\n` })
    const given = results(stdout)
    if (record.checks !== undefined || record.object !== undefined) continue
    // A document that is one of our own lines is not read: a line is a line.
    if (indent > 0 && (record.text !== undefined || record.type === 'message' || record.candidates !== undefined)) continue
    expect(given.map((result) => (result.status === undefined ? 'none' : 'checked'))).toEqual(
      reads.map(({ reason }) => (reason === undefined ? 'checked' : 'none')),
    )
    for (const [at, { reason }] of reads.entries())
      if (reason !== undefined) expect(given[at]?.error?.message).toContain(`without an answer: ${String(reason)}`)
  }
})

it('passes on our own lines between others, and others after our own', async () => {
  const own = { id: 1, text: 'Yes.' }
  const other = { id: 'o1', traceId: 't', type: 'GENERATION', startTime: 'x', output: 'one two three four' }
  const lines = (...all: readonly unknown[]): string => all.map((one) => JSON.stringify(one)).join('\n')
  const mixed = results((await runCli([...check, '-'], { stdin: lines(other, own) })).stdout)
  expect(mixed).toMatchObject([
    { id: 'o1', status: 'unresolved' },
    { id: 1, status: 'valid' },
  ])
  const after = results((await runCli([...check, '-'], { stdin: lines(own, other) })).stdout)
  expect(after).toMatchObject([
    { id: 1, status: 'valid' },
    { id: 'o1', error: { message: expect.any(String) } },
  ])
})

it('reads records after a damaged line', async () => {
  const other = JSON.stringify({ id: 'o1', traceId: 't', type: 'GENERATION', startTime: 'x', output: 'Yes.' })
  const { stdout } = await runCli([...check, '-'], { stdin: `{"id":"o0","tra\n${other}\n${other}` })
  expect(results(stdout)).toMatchObject([
    { id: null, error: {} },
    { id: 'o1', status: 'valid' },
    { id: 'o1', status: 'valid' },
  ])
})

test.each([
  ['an indented object of nobody', '{\n  "a": 1\n}'],
  ['a broken document', '[\n{"traceId":"t"},\n'],
])('%s gives an error for each line', async (_, stdin) => {
  const { code, stdout } = await runCli([...check, '-'], { stdin })
  expect(code).toBe(1)
  expect(results(stdout)).toHaveLength(stdin.trimEnd().split('\n').length)
})
