import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { testEngines } from '../../../testing/store-engines.ts'
import { fullIssue, sampleRun } from '../../../testing/store-fixtures.ts'
import { storeHarness } from '../../../testing/store-harness.ts'
import type { RunRecord } from '../../run/run-record.ts'
import type { RunMatch } from './run-filter.ts'

const some = <Value>(...values: readonly Value[]) => fc.constantFrom(...values)
const issues = fc.array(fc.record({ validator: some('json', 'words'), code: some('ONE', 'TWO', 'THREE') }), { maxLength: 3 })
const repairs = fc.array(fc.record({ rule: some('trim', 'close'), class: some('lossless' as const, 'guess' as const) }), { maxLength: 3 })
const shape = fc.record({
  at: fc.nat(5),
  status: some('valid' as const, 'failed' as const, 'repaired' as const),
  contract: some('a', 'b'),
  model: some('m1', 'm2', 'm3'),
  upstream: some('u1', 'u2'),
  api: some('chat', 'check'),
  key: some('', 'team', 'other'),
  session: some(undefined, 's1', 's2'),
  found: issues,
  fixed: issues,
  repairs,
})

function runs(count: number): RunRecord[] {
  return fc.sample(shape, count).map(({ at, session, found, fixed, repairs, ...rest }, index) => {
    const issue = (one: { validator: string; code: string }) => ({ ...fullIssue, ...one })
    return sampleRun(index, {
      ...{ ...rest, at: 1_700_000_000_000 + at, text: `answer ${index}`, request: 'q'.repeat(400) },
      ...(session === undefined ? {} : { session }),
      attempts: [{ number: 1, call: 'run', ms: 1, issues: found.map(issue), text: `answer ${index}` }],
      fixed: fixed.map(issue),
      repairs: repairs.map((one) => ({ ...one, span: { start: 0, end: 1 }, before: ' ', after: '' })),
    })
  })
}

const list = <Value extends string>(...values: readonly Value[]) =>
  fc.option(fc.subarray([...values], { minLength: 1 }), { nil: undefined })
const filters = fc.record(
  {
    status: list('valid', 'failed'),
    contract: list('a', 'b', 'none'),
    model: list('m1', 'm2'),
    upstream: list('u1', 'u2'),
    api: list('chat', 'check'),
    key: list('team', 'other'),
    session: list('s1', 's2'),
    code: list('ONE', 'TWO'),
    validator: list('json', 'words'),
    rule: list('trim', 'close'),
    class: list('lossless', 'guess'),
    label: list('good', 'bad'),
    owner: some(undefined, undefined, 'team'),
    since: some(undefined, 1_700_000_000_002),
    until: some(undefined, 1_700_000_000_004),
  },
  { requiredKeys: [] },
)

/** Whether a run matches, by the plainest means. */
function matches(run: RunRecord, label: string | undefined, match: Record<string, unknown>): boolean {
  const among = (name: string, value: string | undefined) =>
    match[name] === undefined || (value !== undefined && (match[name] as string[]).includes(value))
  const all = [...run.attempts.flatMap((one) => one.issues), ...run.fixed]
  return (
    ['status', 'contract', 'model', 'upstream', 'api', 'key', 'session'].every((name) => among(name, run[name as 'model'])) &&
    among('label', label) &&
    ((match.code ?? match.validator) === undefined || all.some((one) => among('code', one.code) && among('validator', one.validator))) &&
    ((match.rule ?? match.class) === undefined || run.repairs.some((one) => among('rule', one.rule) && among('class', one.class))) &&
    (match.owner === undefined || run.key === match.owner) &&
    run.at >= Number(match.since ?? 0) &&
    run.at < Number(match.until ?? Number.POSITIVE_INFINITY)
  )
}

describe.each(testEngines())('a list of runs on $name', (engine) => {
  const harness = storeHarness(engine)
  const all = runs(80)
  const labels = new Map(all.flatMap(({ id }, index) => (index % 5 > 1 ? [] : [[id, index % 5 === 0 ? 'good' : 'bad'] as const])))
  beforeEach(async () => {
    await harness.record(...all)
    for (const [id, label] of labels) expect(await harness.store.labels.set(id, { label, by: 'ops' })).toBe(true)
  })

  test('has exactly the runs that match, page by page, and so has the feed', async () => {
    for (const match of fc.sample(filters, 60)) {
      const wanted = all.filter((run) => matches(run, labels.get(run.id), match)).sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
      const found: string[] = []
      let before: string | undefined
      do {
        const page = await harness.store.listRuns({ ...(match as RunMatch), limit: 7, ...(before === undefined ? {} : { before }) })
        found.push(...page.runs.map(({ id }) => id))
        before = page.next
      } while (before !== undefined)
      expect(found, JSON.stringify(match)).toEqual(wanted.map(({ id }) => id))
      const feed = await harness.store.runsSince('0', 500, match as RunMatch)
      expect(new Set(feed.runs.map(({ id }) => id))).toEqual(new Set(found))
    }
  })

  test('has all that a row shows', async () => {
    const page = await harness.store.listRuns({ limit: 80 })
    for (const listed of page.runs) {
      const run = all.find(({ id }) => id === listed.id) as RunRecord
      const codes = [...run.attempts.flatMap((one) => one.issues), ...run.fixed].map(({ validator, code }) => `${validator}/${code}`)
      expect(listed.codes).toEqual([...new Set(codes)].slice(0, 5))
      expect(listed.classes).toEqual([...new Set(run.repairs.map((one) => one.class))].sort())
      expect([listed.label, listed.answer, listed.question]).toEqual([labels.get(run.id), run.text, 'q'.repeat(300)])
    }
  })

  test('shows the label of a run, until it is removed, or its run', async () => {
    const [first, second] = all as [RunRecord, RunRecord]
    const { labels: kept } = harness.store
    await kept.set(first.id, { label: 'bad', note: 'no \0 end', by: 'ops' })
    expect(await harness.store.getRun(first.id)).toMatchObject({ label: { label: 'bad', note: 'no \ufffd end', by: 'ops' } })
    expect((await harness.store.runTexts([first])).get(first.id)).toMatchObject({ text: 'answer 0', note: 'no \ufffd end' })
    expect(await kept.remove(first.id)).toBe(true)
    expect(await harness.store.getRun(first.id)).not.toHaveProperty('label')
    expect([await kept.set('none', { label: 'good', by: '' }), await kept.remove('none')]).toEqual([false, false])
    await kept.set(second.id, { label: 'good', by: '' })
    harness.now += 40 * 86_400_000
    await harness.store.purge()
    expect((await harness.store.listRuns({ label: 'good' })).runs).toEqual([])
    await harness.record(second)
    expect(await harness.store.getRun(second.id)).not.toHaveProperty('label')
  })
})
