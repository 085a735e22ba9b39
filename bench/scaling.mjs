import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { ask, load, readReply, requestBytes } from './gateway/client.mjs'
import { freePort, startServer } from './gateway/processes.mjs'
import { startPostgres } from './retrieval/postgres.mjs'

const command = fileURLToPath(new URL('../packages/cli/bin/stickler.js', import.meta.url))
const key = 'key-of-the-bench-0123456789abcdef'
const answer = 'A short answer that says what it should, in a sentence or two, and then ends.'
const warmUp = 200
const each = 800
const connections = 16
const million = 1_000_000

/** Two gateways and one PostgreSQL, before a scripted upstream: requests, rows and bytes, budgets, and a database that is away. */
export async function benchScaling() {
  const folder = await mkdtemp(join(tmpdir(), 'stickler-bench-scaling-'))
  const postgres = await startPostgres()
  const started = []
  try {
    const gateway = async (name, perKey) => {
      const port = await freePort()
      const file = join(folder, name, 'stickler.yaml')
      await writeConfig(file, perKey)
      const env = { STORE: postgres.url, STICKLER_KEYS: `bench:${key}` }
      const server = await startServer({
        args: [command, 'serve', '--config', file, '--port', String(port)],
        env,
        port,
        log: join(folder, `${name}.log`),
      })
      started.push(server)
      return server
    }
    const [one, two] = [await gateway('one'), await gateway('two')]
    const [three, four] = [await gateway('three', { tokensPerDay: 1e12 }), await gateway('four', { tokensPerDay: 1e12 })]
    for (const server of started) await run([server], warmUp)
    const alone = await run([one], each)
    const both = await run([one, two], each)
    const limited = await run([three, four], each)
    await run([one, two], 400, 'again')
    const size = await sizes(postgres.url)
    const away = await whileAway(postgres, [one, three])
    return [
      row('requests/s: one gateway', alone.perSecond),
      row('requests/s: two gateways, together', both.perSecond),
      row('processor per request: one gateway, ms', alone.cpuMs),
      row('processor per request: two gateways, ms', both.cpuMs),
      row('processor per request: two gateways with a budget per key, ms', limited.cpuMs),
      row('requests/s: two gateways with a budget per key, together', limited.perSecond),
      row('runs that were measured', size.runs),
      row('rows for each run: runs, issues and repairs', size.rows / size.runs),
      row('bytes for each run, with indexes', size.bytes / size.runs),
      row('GB for a million runs, calculated', ((size.bytes / size.runs) * million) / 1e9),
      { what: 'database away: status without a budget', note: String(away[0]) },
      { what: 'database away: status with a budget', note: String(away[1]) },
    ]
  } finally {
    await Promise.all(started.map((server) => server.stop()))
    await postgres.stop().catch(() => {})
    await rm(folder, { recursive: true, force: true })
  }
}

async function writeConfig(file, perKey) {
  await mkdir(join(file, '..'), { recursive: true })
  const config = {
    ...{ store: { urlEnv: 'STORE' }, ...(perKey ? { server: { perKey } } : {}) },
    upstreams: [
      { name: 'good', kind: 'scripted', answers: [answer] },
      { name: 'again', kind: 'scripted', answers: [`${answer} `.repeat(5), answer] },
    ],
    contracts: { brief: { checks: [{ max_words: { limit: 40 } }], retries: 1 } },
    routes: ['good', 'again'].map((name) => ({ model: name, upstream: name, contract: 'brief' })),
  }
  await writeFile(file, JSON.stringify(config))
}

const requestFor = (model) =>
  requestBytes({ model, messages: [{ role: 'user', content: 'Well?' }], max_tokens: 100 }, { authorization: `Bearer ${key}` })

async function run(servers, requests, model = 'good') {
  const before = await Promise.all(servers.map((server) => server.usage()))
  const results = await Promise.all(
    servers.map(({ port }) => load({ port, request: requestFor(model), connections, enough: (done) => done >= requests })),
  )
  const after = await Promise.all(servers.map((server) => server.usage()))
  const total = results.reduce((sum, result) => sum + result.requests, 0)
  const cpuMs = after.reduce((sum, { cpuMs }, index) => sum + cpuMs - before[index].cpuMs, 0) / total
  return { cpuMs, perSecond: (total / Math.max(...results.map(({ ms }) => ms))) * 1000 }
}

/** Waits until everything is written, and measures it with its indexes. */
async function sizes(url) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const count = async () => Number((await client.query('select count(*) as n from runs')).rows[0].n)
    for (let last = -1, runs = await count(); runs !== last; runs = await count()) {
      last = runs
      await delay(1500)
    }
    const { rows } = await client.query(`select sum(pg_total_relation_size(inhrelid)) as bytes from pg_inherits
      where inhparent in ('runs'::regclass, 'issues'::regclass, 'repairs'::regclass)`)
    const parts = await client.query('select (select count(*) from issues) + (select count(*) from repairs) as n')
    const runs = await count()
    return { runs, rows: runs + Number(parts.rows[0].n), bytes: Number(rows[0].bytes) }
  } finally {
    await client.end()
  }
}

async function whileAway(postgres, servers) {
  await postgres.stop()
  await delay(500)
  return Promise.all(
    servers.map(async ({ port }) => {
      return readReply(await ask(port, requestFor('good'))).status
    }),
  )
}

function row(what, value) {
  return { what, median: value }
}
