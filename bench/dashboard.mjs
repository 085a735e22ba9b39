import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '../packages/gateway/dist/records/store/open-store.js'
import { quartiles } from './harness.mjs'
import { startPostgres } from './retrieval/postgres.mjs'

const dayMs = 86_400_000
const days = 30
const rounds = 15
const atOnce = 2000

/** What operators ask for: an overview, and lists with filters. */
const questions = (now) => ({
  'overview of 30 days': (store) => store.overview({ since: now - days * dayMs, until: now }),
  'overview of a day': (store) => store.overview({ since: now - dayMs, until: now }),
  'overview of 30 days, one key': (store) => store.overview({ since: now - days * dayMs, until: now, key: 'team-3' }),
  'newest runs': (store) => store.listRuns({ limit: 50 }),
  'runs with two statuses': (store) => store.listRuns({ limit: 50, status: ['failed', 'unresolved'] }),
  'runs with a rare code': (store) => store.listRuns({ limit: 50, code: 'RARE' }),
  'runs with a validator and a contract': (store) => store.listRuns({ limit: 50, validator: 'max_words', contract: 'contract-2' }),
  'runs with a class of repair': (store) => store.listRuns({ limit: 50, class: 'lossy' }),
  'runs of a key in one week': (store) => store.listRuns({ limit: 50, key: 'team-3', since: now - 20 * dayMs, until: now - 13 * dayMs }),
})

/** Overview and lists of many runs, in SQLite and PostgreSQL; milliseconds of the clock. */
export async function benchDashboard({ runs = 1_000_000 } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'stickler-bench-dashboard-'))
  const server = await startPostgres()
  try {
    return [
      ...(await measure('SQLite', `sqlite:${join(folder, 'state.db')}`, join(folder, 'one'), runs)),
      ...(await measure('PostgreSQL', server.url, join(folder, 'two'), runs)),
    ]
  } finally {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Seeds one store, and asks it. */
export async function measure(name, url, folder, runs) {
  const now = Math.floor(Date.now() / dayMs) * dayMs
  const store = await openStore({ url, folder, keepText: false, now: () => now })
  try {
    const began = performance.now()
    await seed(store, runs, now)
    const written = performance.now()
    while ((await store.overview({ since: now - dayMs, until: now })).behind) await new Promise((resolve) => setTimeout(resolve, 200))
    console.log(
      `${name}: ${seconds(written - began)} to write ${runs} runs, then ${seconds(performance.now() - written)} until all were counted`,
    )
    const rows = []
    for (const [what, ask] of Object.entries(questions(now))) {
      await ask(store)
      const times = []
      for (let round = 0; round < rounds; round++) {
        const start = performance.now()
        await ask(store)
        times.push(performance.now() - start)
      }
      console.log(`${name}: ${what}: ${times.map((ms) => ms.toFixed(0)).join(' ')}`)
      rows.push({ what: `${name}: ${what}, of ${runs.toLocaleString('en')} runs, ms`, ...quartiles(times), atMost: 200 })
    }
    return rows
  } finally {
    await store.close()
  }
}

async function seed(store, runs, now) {
  const next = numbers(1)
  for (let start = 0; start < runs; start += atOnce) {
    const count = Math.min(atOnce, runs - start)
    await Promise.all(Array.from({ length: count }, (_, index) => store.recorder.run(runOf(start + index, runs, now, next))))
    if (!(await store.flush(60_000))) throw new Error('the runs could not be written')
  }
}

const statuses = ['valid', 'valid', 'valid', 'valid', 'valid', 'valid', 'repaired', 'repaired', 'unresolved', 'failed']

/** Runs as teams make them: each with a few contracts and models. */
function runOf(number, runs, now, next) {
  const team = next(12)
  const status = statuses[next(10)]
  const isClean = status === 'valid' && next(10) > 0
  const code = number % 10_007 === 0 ? 'RARE' : ['MAX_WORDS', 'JSON_SYNTAX', 'CITATION_UNKNOWN'][next(3)]
  const issue = { code, severity: 'error', validator: code === 'MAX_WORDS' ? 'max_words' : 'json', message: '' }
  const ms = 200 + next(4000)
  const usage = { promptTokens: 200 + next(800), completionTokens: 50 + next(300), cost: next(1000) / 1e5 }
  const attempt = { call: 'run', ms: ms - next(50), usage }
  const hasRetry = !isClean && status !== 'repaired'
  return {
    id: `run-${String(number).padStart(9, '0')}`,
    requestId: `request-${number}`,
    choice: 0,
    at: Math.floor(now - days * dayMs + (number / runs) * days * dayMs),
    ms: hasRetry ? 2 * ms : ms,
    addedMs: 1 + next(60),
    api: ['chat', 'messages', 'responses'][team % 3],
    stream: false,
    model: `model-${(team + next(2)) % 6}`,
    upstream: `upstream-${team % 3}`,
    upstreamModel: 'model',
    contract: `contract-${(team + next(2)) % 8}`,
    key: `team-${team}`,
    status,
    reason: status,
    httpStatus: 200,
    attempts: [
      { ...attempt, number: 1, issues: isClean ? [] : [issue] },
      ...(hasRetry ? [{ ...attempt, number: 2, issues: status === 'valid' ? [] : [issue] }] : []),
    ],
    issues: status === 'unresolved' ? [issue] : [],
    fixed: status === 'repaired' ? [issue] : [],
    repairs:
      status === 'repaired'
        ? [{ rule: 'trim', class: next(50) === 0 ? 'lossy' : 'lossless', span: { start: 0, end: 1 }, before: '', after: '' }]
        : [],
    unchecked: [],
    usage,
  }
}

/** The same numbers on every machine. */
function numbers(seed) {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const seconds = (ms) => `${(ms / 1000).toFixed(0)} s`
