import type { GatewayState, Me, RunRow } from '../api/types.ts'

/** The moment at which all seeded traffic ends. */
export const seedNow = Date.UTC(2026, 10, 18, 12, 0, 0)

/** Numbers from 0 to 1 that are the same in every run. */
export function numbers(seed = 7): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const models = ['gpt-5-mini', 'claude-sonnet-4-5', 'llama-3.3-70b', 'mistral-small', 'qwen3-coder']
const contracts = ['support-answer', 'invoice-json', 'release-notes', 'sql-only', 'citations']
const upstreams = ['openai', 'anthropic', 'vllm']
const keys = ['checkout', 'helpdesk', 'nightly-batch', 'playground']
const codes = ['max_words/MAX_WORDS', 'json/JSON_SYNTAX', 'json_schema/REQUIRED', 'citations/UNKNOWN_SOURCE', 'language/WRONG_LANGUAGE']
const questions = [
  'When does my refund arrive?',
  'Extract the invoice as JSON: Acme Ltd, 2026-10-01, 3 × widgets at 12.50 EUR',
  'Summarise the changes between 2.3 and 2.4 for customers.',
  'Write a query for the ten customers with the highest revenue this quarter.',
  'Which section of the manual covers calibration? Cite it.',
]
const answers = [
  'Refunds take three to five working days. You will get an e-mail as soon as yours is on its way.',
  '{"vendor":"Acme Ltd","date":"2026-10-01","total":37.5,"currency":"EUR"}',
  '## 2.4\n\n- Faster exports\n- Fixed: time zones in reports',
  'select customer, sum(amount) as revenue from orders group by customer order by revenue desc limit 10',
  'Calibration is described in section 4.2 [manual-4.2].',
]

function pick<Item>(items: readonly Item[], at: number): Item {
  const item = items[Math.min(items.length - 1, Math.floor(at * items.length))]
  if (item === undefined) throw new RangeError('nothing to pick')
  return item
}

/** More traffic at some times than at others, and still in order. */
function momentAgo(share: number, periodMs: number): number {
  const waves = Math.max(1, Math.round(periodMs / 43_200_000))
  return Math.floor((share + Math.sin(share * waves * 2 * Math.PI) / (waves * 2 * Math.PI) / 2.2) * periodMs)
}

/** Seeded runs, newest first, spread over a period. */
export function seedRuns(count: number, periodMs = 86_400_000, more: (run: RunRow, at: number) => RunRow = (run) => run): RunRow[] {
  const next = numbers()
  return Array.from({ length: count }, (_, at) => {
    const luck = next()
    const status =
      luck < 0.72
        ? 'valid'
        : luck < 0.86
          ? 'repaired'
          : luck < 0.9
            ? 'unchecked'
            : luck < 0.95
              ? 'unresolved'
              : luck < 0.98
                ? 'failed'
                : 'unenforced'
    const kind = Math.floor(next() * contracts.length)
    const attempts = status === 'unresolved' ? 3 : next() < 0.18 ? 2 : 1
    const isFound = status === 'repaired' || status === 'unresolved' || attempts > 1
    const promptTokens = 180 + Math.floor(next() * 900) * attempts
    const completionTokens = 40 + Math.floor(next() * 400) * attempts
    const code = pick(codes, next())
    const session = next() < 0.4 ? `session-${Math.floor(next() * 20)}` : undefined
    const run: RunRow = {
      id: `run_${(0x19a9_0000_0000 + count - at).toString(36)}${Math.floor(next() * 1e9)
        .toString(36)
        .padStart(6, '0')}`,
      requestId: `req_${at}`,
      choice: 0,
      ...(session === undefined ? {} : { session }),
      at: seedNow - momentAgo((at + next()) / count, periodMs),
      ms: Math.round(250 + next() ** 3 * 9000) * attempts,
      firstTextMs: Math.round(120 + next() * 700),
      api: pick(['chat', 'chat', 'messages', 'responses'], next()),
      stream: next() < 0.5,
      model: pick(models, next() * next()),
      upstream: pick(upstreams, next()),
      upstreamModel: pick(models, next()),
      contract: status === 'unenforced' ? '' : pick(contracts, (kind + 0.5) / contracts.length),
      key: pick(keys, next()),
      status,
      reason: status === 'valid' ? 'clean' : status === 'failed' ? 'call_failed' : status,
      httpStatus: status === 'failed' ? 502 : status === 'unresolved' ? 422 : 200,
      attempts,
      issues: status === 'unresolved' ? 1 : 0,
      fixed: status === 'repaired' ? 1 : 0,
      repairs: status === 'repaired' ? 1 + Math.floor(next() * 3) : 0,
      usage: { promptTokens, completionTokens, cost: (promptTokens * 0.4 + completionTokens * 1.6) / 1e6 },
      delivered: status !== 'failed',
      codes: isFound ? [code] : [],
      classes: status === 'repaired' ? [pick(['lossless', 'lossless', 'lossy', 'guess'], next())] : [],
      ...(status === 'failed' ? { failure: { kind: 'timeout', message: 'The upstream did not answer within 30 s.', status: 504 } } : {}),
      question: pick(questions, (kind + 0.5) / questions.length),
      answer: pick(answers, (kind + 0.5) / answers.length),
    }
    return more(run, at)
  })
}

/** Who is looking. */
export function seedMe(more: Partial<Me> = {}): Me {
  return {
    role: 'operator',
    key: 'ops',
    keepText: true,
    version: '0.1.0',
    now: seedNow,
    features: { labels: true, evaluations: true },
    ...{ models, contracts, upstreams, keys },
    apis: ['chat', 'messages', 'responses', 'ask', 'check'],
    ...more,
  }
}

/** The state of a gateway with an open circuit and budgets. */
export function seedGateway(more: Partial<GatewayState> = {}): GatewayState {
  const used = { usedTokens: 812_000, usedUsd: 3.12, heldTokens: 4000, heldUsd: 0.02 }
  return {
    upstreams: [
      {
        name: 'openai',
        kind: 'openai',
        provider: 'openai',
        models: ['gpt-5-mini'],
        breaker: 'closed',
        calls: 812,
        errors: 4,
        p50Ms: 740,
        p95Ms: 2900,
      },
      {
        name: 'anthropic',
        kind: 'anthropic',
        provider: 'anthropic',
        models: ['claude-sonnet-4-5'],
        breaker: 'closed',
        calls: 604,
        errors: 1,
        p50Ms: 910,
        p95Ms: 3400,
      },
      {
        ...{ name: 'vllm', kind: 'openai', provider: 'vllm', models: ['llama-3.3-70b'], breaker: 'open', breakerAt: seedNow - 24_000 },
        ...{ calls: 233, errors: 37, p50Ms: 410, p95Ms: 5200 },
        lastError: { at: seedNow - 12_000, kind: 'unavailable', status: 503 },
      },
    ],
    keys: [
      {
        name: 'checkout',
        budgets: [{ period: 'day', limitTokens: 1_000_000, limitUsd: 10, ...used, resetsAt: seedNow + 4e7 }],
      },
      {
        name: 'nightly-batch',
        budgets: [{ period: 'month', limitUsd: 50, ...used, usedUsd: 47.4, resetsAt: seedNow + 9e8 }],
      },
      { name: 'playground', budgets: [] },
      { name: 'ops', budgets: [] },
    ],
    store: { kind: 'sqlite', state: 'ok', journalBytes: 18_432, journalLagMs: 14, dropped: 0 },
    parser: { kind: 'local', state: 'closed' },
    uptimeMs: 3_720_000,
    version: '0.1.0',
    configuredAt: seedNow - 3_720_000,
    ...more,
  }
}
