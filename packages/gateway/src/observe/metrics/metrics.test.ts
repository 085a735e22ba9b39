import { settle } from '@stickler/core'
import { describe, expect, it, test } from 'vitest'
import { contract } from '../../../../presets/src/testing/contract.ts'
import type { AttemptRecord, RunRecord } from '../../records/run/run-record.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { mergeMetrics } from './metrics-page.ts'

const names = {
  contracts: ['answers', 'evil"\n\\name'],
  models: ['small', 'large'],
  upstreams: ['local'],
  apis: ['chat', 'responses', 'messages'],
}

const attempt = (number: number, more: Partial<AttemptRecord> = {}): AttemptRecord => ({
  number,
  call: 'run',
  ms: 100,
  issues: [],
  ...more,
})

const record = (more: Partial<RunRecord> = {}): RunRecord => ({
  id: '1',
  requestId: 'r',
  choice: 0,
  at: 0,
  ms: 250,
  api: 'chat',
  stream: false,
  model: 'small',
  upstream: 'local',
  upstreamModel: 'llama',
  contract: 'answers',
  key: '',
  status: 'valid',
  reason: 'clean',
  httpStatus: 200,
  attempts: [attempt(1)],
  issues: [],
  fixed: [],
  repairs: [],
  unchecked: [],
  usage: { promptTokens: 10, completionTokens: 5 },
  ...more,
})

/** Every sample by name and labels; throws when the text is not in the exposition format. */
async function samples(metrics: Pick<Metrics, 'render'>): Promise<Map<string, number>> {
  return parse(await metrics.render())
}

function parse(text: string): Map<string, number> {
  const found = new Map<string, number>()
  const typed = new Set<string>()
  if (!text.endsWith('\n')) throw new Error('no line break at the end')
  for (const line of text.split('\n')) {
    const type = /^# TYPE ([a-zA-Z_:][\w:]*) (?:counter|gauge|histogram)$/.exec(line)
    if (type?.[1]) typed.add(type[1])
    if (line === '' || /^# (?:HELP [a-zA-Z_:][\w:]* [^\n]*|TYPE .*)$/.test(line)) continue
    const sample = /^([a-zA-Z_:][\w:]*)(\{(?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*"(?:,(?!\})|(?=\})))+\})? ([-+.\deE]+|\+Inf|NaN)$/.exec(
      line,
    )
    if (!sample) throw new Error(`not a sample: ${line}`)
    const [, name = '', labels = '', value = ''] = sample
    if (!typed.has(name) && !typed.has(name.replace(/_(?:bucket|sum|count)$/, ''))) throw new Error(`without type: ${line}`)
    if (found.has(name + labels)) throw new Error(`twice: ${line}`)
    found.set(name + labels, Number(value))
  }
  return found
}

describe('a run', () => {
  it('counts what happened', async () => {
    const metrics = createMetrics({ names })
    const issue = { code: 'MISSING_STEP_MARKER', severity: 'error', validator: 'step_marker', message: 'x' } as const
    metrics.run(
      record({
        status: 'repaired',
        firstTextMs: 20,
        attempts: [attempt(1, { issues: [issue, issue] }), attempt(2, { ms: 300, issues: [issue] })],
        fixed: [issue],
        repairs: [{ rule: 'append-step-marker', class: 'lossless', span: { start: 0, end: 0 }, before: '', after: 'x' }],
        unchecked: [{ validator: 'file_existence', cause: 'timeout', message: 'x' }],
        usage: { promptTokens: 30, completionTokens: 12, cost: 0.5 },
      }),
    )
    const found = await samples(metrics)
    for (const [name, value] of [
      ['stickler_runs_total{contract="answers",status="repaired",model="small"}', 1],
      ['stickler_attempts_total{contract="answers",model="small"}', 2],
      ['stickler_retries_total{contract="answers"}', 1],
      ['stickler_repairs_total{contract="answers",rule="append-step-marker"}', 1],
      ['stickler_issues_total{contract="answers",validator="step_marker",code="MISSING_STEP_MARKER"}', 3],
      ['stickler_unchecked_total{contract="answers",validator="file_existence"}', 1],
      ['stickler_tokens_total{contract="answers",kind="prompt"}', 30],
      ['stickler_tokens_total{contract="answers",kind="completion"}', 12],
      ['stickler_cost_total{contract="answers"}', 0.5],
      ['stickler_run_duration_seconds_sum{contract="answers"}', 0.25],
      ['stickler_first_text_seconds_count{contract="answers"}', 1],
      ['stickler_upstream_duration_seconds_count{upstream="local"}', 2],
      ['stickler_upstream_duration_seconds_sum{upstream="local"}', 0.4],
    ] as const)
      expect.soft(found.get(name), name).toBeCloseTo(value)
  })

  it('is counted with the verdict of a shadow contract, under names of the configuration alone', async () => {
    const metrics = createMetrics({ names })
    const verdict = { contract: 'answers', status: 'unresolved', liveStatus: 'valid', codes: 'X', liveCodes: '' } as const
    metrics.shadow(verdict, { contract: '' })
    metrics.shadow({ ...verdict, contract: 'made up', liveStatus: 'odd' }, { contract: 'answers' })
    metrics.shadowDropped('answers')
    const found = await samples(metrics)
    const total = 'stickler_shadow_verdicts_total'
    expect(found.get(`${total}{contract="none",shadow_contract="answers",status="valid",shadow_status="unresolved"}`)).toBe(1)
    expect(found.get(`${total}{contract="answers",shadow_contract="other",status="other",shadow_status="unresolved"}`)).toBe(1)
    expect(found.get('stickler_shadow_dropped_total{shadow_contract="answers"}')).toBe(1)
  })

  it('that only checked a given answer counts no attempt, but what was repaired', async () => {
    const metrics = createMetrics({ names })
    const { issues, fixed, repairs } = await settle(contract({ checks: ['step_marker'] }), 'x')
    metrics.run(record({ api: 'check', model: '', upstream: '', attempts: [], issues: issues, fixed, repairs }))
    const found = await samples(metrics)
    expect([...found.keys()].filter((name) => /attempts_total|upstream_duration_seconds_count/.test(name))).toEqual([])
    expect(found.get('stickler_runs_total{contract="answers",status="valid",model="none"}')).toBe(1)
    expect([...found].filter(([name]) => name.startsWith('stickler_issues_total'))).toHaveLength(1)
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY, -1, 'x' as unknown as number, undefined as unknown as number])(
    'takes %s for nothing',
    async (bad) => {
      const metrics = createMetrics({ names })
      metrics.run(
        record({
          ms: bad,
          firstTextMs: bad,
          attempts: [attempt(1, { ms: bad })],
          usage: { promptTokens: bad, completionTokens: bad, cost: bad },
        }),
      )
      const found = await samples(metrics)
      expect(found.get('stickler_runs_total{contract="answers",status="valid",model="small"}')).toBe(1)
      expect([...found].filter(([name]) => /tokens_total|cost_total|seconds_sum\{/.test(name)).every(([, value]) => value === 0)).toBe(true)
    },
  )
})

describe('requests', () => {
  it('are ok, invalid or error, and nothing else', async () => {
    const metrics = createMetrics({ names })
    const statuses = [200, 200, 422, 400, 401, 429, 499, 500, 502, 504, 0, 99, 600, Number.NaN]
    for (const status of statuses) metrics.request({ api: 'chat', status, contract: 'answers' })
    metrics.request({ api: 'chat', status: 200, contract: 'answers', outcome: 'error' })
    for (const status of [400, 406, 422]) metrics.request({ api: 'chat', status, contract: 'answers', outcome: 'invalid' })
    const by = (text: string) =>
      samples(metrics).then((found) =>
        [...found]
          .filter(([name]) => name.startsWith('stickler_requests_total') && name.includes(text))
          .reduce((sum, [, value]) => sum + value, 0),
      )
    const [all, ok, invalid, error] = [await by(''), await by('outcome="ok"'), await by('outcome="invalid"'), await by('outcome="error"')]
    expect(all).toBe(statuses.length + 4)
    expect(ok + invalid + error).toBe(all)
    expect([ok, invalid]).toEqual([4, 3])
  })
})

describe('labels are closed', () => {
  const hostile = [...Array(10_000)].map((_, index) => `model-${index}"\n\r\\{}#<script>`)

  it('10 000 names of each kind give a few series, in the exposition format', async () => {
    const metrics = createMetrics({ names })
    for (const word of hostile) {
      metrics.request({ api: word, status: 200, contract: word })
      metrics.run(
        record({
          model: word,
          contract: word,
          upstream: word,
          session: word,
          failure: { kind: word as 'http', message: word },
          key: word,
          status: word as 'valid',
          attempts: [attempt(1, { issues: [{ code: word, severity: 'error', validator: word, message: word }] })],
          repairs: [{ rule: word, class: 'guess', span: { start: 0, end: 0 }, before: '', after: '' }],
          unchecked: [{ validator: word, cause: 'crash', message: word }],
        }),
      )
    }
    const text = await metrics.render()
    const found = parse(text)
    expect(found.size).toBeLessThan(100)
    expect(text).not.toContain('script')
    expect(found.get('stickler_runs_total{contract="other",status="other",model="other"}')).toBe(10_000)
  })

  it('rules of repairs are bounded though they have no list', async () => {
    const metrics = createMetrics({ names })
    const repairs = [...Array(1000)].map((_, index) => ({
      rule: `rule-${index}`,
      class: 'guess' as const,
      span: { start: 0, end: 0 },
      before: '',
      after: '',
    }))
    metrics.run(record({ repairs }))
    const found = [...(await samples(metrics))].filter(([name]) => name.startsWith('stickler_repairs_total'))
    expect(found.length).toBe(129)
    expect(found.reduce((sum, [, value]) => sum + value, 0)).toBe(1000)
  })

  it('names of the configuration are escaped', async () => {
    const metrics = createMetrics({ names })
    metrics.run(record({ contract: 'evil"\n\\name' }))
    expect((await samples(metrics)).get(String.raw`stickler_retries_total{contract="evil\"\n\\name"}`)).toBeUndefined()
    expect((await samples(metrics)).get(String.raw`stickler_tokens_total{contract="evil\"\n\\name",kind="prompt"}`)).toBe(10)
  })

  it('a changed configuration brings its names, but never without end', async () => {
    const metrics = createMetrics({ names })
    for (let index = 0; index < 6000; index++) {
      metrics.configure({ ...names, models: [`m${index}`] })
      metrics.run(record({ model: `m${index}` }))
    }
    const found = [...(await samples(metrics))].filter(([name]) => name.startsWith('stickler_runs_total'))
    expect(found.length).toBeLessThanOrEqual(4001)
    expect(found.reduce((sum, [, value]) => sum + value, 0)).toBe(6000)
  })
})

test('what other parts know is read when it is rendered', async () => {
  const metrics = createMetrics({ names })
  let queue = 3
  metrics.watch('storeWaiting', () => queue)
  metrics.watch('logLost', () => 7)
  metrics.watch('storeFailures', () => Number.NaN)
  metrics.inFlight(5)
  expect((await samples(metrics)).get('stickler_store_waiting_bytes')).toBe(3)
  queue = 4
  const found = await samples(metrics)
  expect(
    ['stickler_store_waiting_bytes', 'stickler_log_lost_total', 'stickler_store_failures_total', 'stickler_in_flight'].map((name) =>
      found.get(name),
    ),
  ).toEqual([4, 7, 0, 5])
})

test('two sets of metrics know nothing of each other, and workers can be merged', async () => {
  const [one, two] = [createMetrics({ names }), createMetrics({ names })]
  one.run(record())
  two.run(record())
  two.run(record())
  one.inFlight(2)
  two.inFlight(3)
  const name = 'stickler_runs_total{contract="answers",status="valid",model="small"}'
  expect([(await samples(one)).get(name), (await samples(two)).get(name)]).toEqual([1, 2])
  const sent = JSON.parse(JSON.stringify([await one.snapshot(), await two.snapshot()]))
  const merged = parse(await mergeMetrics(sent))
  expect([
    merged.get(name),
    merged.get('stickler_in_flight'),
    merged.get('stickler_run_duration_seconds_count{contract="answers"}'),
  ]).toEqual([3, 5, 3])
})

test('metrics of the process only when they are wanted', async () => {
  expect(await createMetrics({ names }).render()).not.toContain('process_')
  expect(await createMetrics({ names, processMetrics: true }).render()).toContain('process_resident_memory_bytes')
})
