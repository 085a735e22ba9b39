import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startServe } from './serve.mjs'
import { startLoad } from './soak/load.mjs'
import { startUpstream } from './soak/upstream.mjs'

const sampleMs = 2000
/** So much of the time passes before memory counts: caches fill, code is compiled. */
const warmUp = 1 / 3

/** The gateway over a long time, with 20 % injected faults and 10 % clients that leave: errors only as injected, no growing memory, nothing left open. */
export async function benchSoak({ minutes = 30 } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'stickler-soak-'))
  const upstream = await startUpstream()
  const gateway = await startGateway(folder, upstream.url)
  try {
    return await soak(gateway.url, upstream, minutes)
  } finally {
    await gateway.stop()
    upstream.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function soak(url, upstream, minutes) {
  const first = startLoad(url)
  await delay(minutes * warmUp * 60_000)
  await first.stop()
  const before = await atRest(url, upstream)

  const load = startLoad(url)
  const samples = []
  const begin = performance.now()
  while (performance.now() - begin < minutes * (1 - warmUp) * 60_000) {
    await delay(sampleMs)
    const { process_resident_memory_bytes: rss } = await measures(url)
    samples.push({ minute: (performance.now() - begin) / 60_000, mb: rss / 1024 / 1024 })
  }
  await load.stop()
  const after = await atRest(url, upstream)

  const { asked, left, faults, wrong, firstWrong } = load.counts
  if (firstWrong !== '') console.log(`the first wrong answer: ${firstWrong}`)
  const share = (count) => (100 * count) / asked
  return [
    { what: 'requests', median: asked + first.counts.asked },
    { what: 'clients that left, %', median: share(left) },
    { what: 'requests with an injected fault, %', median: share(faults) },
    { what: 'answers that are not as they should be', atMost: 0, median: wrong + first.counts.wrong },
    { what: 'memory after warm-up, MB', median: samples[0]?.mb ?? 0 },
    { what: 'memory at the end, MB', median: samples.at(-1)?.mb ?? 0 },
    { what: 'growth of memory, MB per minute', atMost: 1, median: slopeOf(samples) },
    {
      what: 'open files at rest: more than after warm-up',
      atMost: 2,
      median: Math.max(0, after.process_open_fds - before.process_open_fds),
    },
    {
      what: 'handles at rest: more than after warm-up',
      atMost: 2,
      median: Math.max(0, after.nodejs_active_handles_total - before.nodejs_active_handles_total),
    },
    { what: 'requests under way at rest', atMost: 0, median: after.stickler_in_flight },
  ]
}

/** What is open when nobody asks; connections that are only kept for later are closed first. */
async function atRest(url, upstream) {
  await delay(1000)
  upstream.closeIdle()
  await delay(1000)
  return measures(url)
}

async function measures(url) {
  const response = await fetch(`${url}/metrics`, { headers: { connection: 'close' } })
  const lines = (await response.text()).split('\n').filter((line) => /^[a-z_]+ /.test(line))
  return Object.fromEntries(lines.map((line) => line.split(' ')).map(([name, value]) => [name, Number(value)]))
}

/** The slope of the line through all samples. */
function slopeOf(samples) {
  const mean = (read) => samples.reduce((sum, sample) => sum + read(sample), 0) / samples.length
  const [x, y] = [mean(({ minute }) => minute), mean(({ mb }) => mb)]
  const above = samples.reduce((sum, { minute, mb }) => sum + (minute - x) * (mb - y), 0)
  const below = samples.reduce((sum, { minute }) => sum + (minute - x) ** 2, 0)
  return below === 0 ? 0 : above / below
}

async function startGateway(folder, upstream) {
  const reach = { kind: 'openai', baseUrl: `${upstream}/v1`, retries: 0 }
  const config = {
    server: { port: 0 },
    store: { url: `sqlite:${join(folder, 'stickler.db')}` },
    log: { level: 'warn' },
    upstreams: ['up', 'faulty'].map((name) => ({ name, ...reach })),
    contracts: { brief: { checks: [{ max_words: { limit: 5 } }], retries: 1 } },
    routes: [
      { model: 'good', upstream: 'up', contract: 'brief' },
      { model: 'faulty', upstream: 'faulty', contract: 'brief' },
    ],
  }
  await writeFile(join(folder, 'stickler.yaml'), JSON.stringify(config, null, 2))
  return startServe(folder)
}
