import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { quartiles } from './harness.mjs'
import { startServe } from './serve.mjs'

const clients = 64
const rounds = 3
const part = (name) => fileURLToPath(new URL(`stall/${name}.mjs`, import.meta.url))

/** What is hostile about the answers: their length, their depth, or the number of their values. */
const kinds = ['long', 'deep', 'wide']

/** The event loop of the gateway while 64 clients at once receive hostile answers: how long everything else has to wait. */
export async function benchStall({ only = kinds, times = rounds } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'stickler-stall-'))
  const upstream = fork(part('upstream'))
  const [{ url: address }] = await once(upstream, 'message')
  const gateway = await startGateway(folder, address)
  try {
    const measured = new Map(only.map((kind) => [kind, []]))
    for (let round = 0; round <= times; round++) {
      for (const [kind, results] of measured) {
        const result = await play(gateway.url, kind)
        // The first one starts the threads and compiles the checks.
        if (round > 0) results.push(result)
      }
    }
    return [...measured].flatMap(([kind, results]) => rowsOf(kind, results))
  } finally {
    await gateway.stop()
    upstream.kill()
    await rm(folder, { recursive: true, force: true })
  }
}

/** One round: the clients are a process of their own; the gateway measures its loop itself, from one reading of its metrics to the next. */
async function play(url, kind) {
  await metricsOf(url)
  const load = fork(part('clients'), [url, String(clients), kind])
  const [{ healthMs, seconds, wrong, firstWrong }] = await once(load, 'message')
  if (firstWrong !== undefined) console.log(`the first wrong reply: ${firstWrong}`)
  const metrics = await metricsOf(url)
  const loop = (name) => metrics[`nodejs_eventloop_lag_${name}_seconds`] * 1000
  return { p50: loop('p50'), p99: loop('p99'), max: loop('max'), healthMs, seconds, wrong }
}

function rowsOf(kind, measured) {
  const row = (what, read, goal = {}) => ({ what: `${kind} answers: ${what}`, ...goal, ...quartiles(measured.map(read)) })
  return [
    row('delay of the event loop, median, ms', ({ p50 }) => p50),
    row('delay of the event loop, p99, ms', ({ p99 }) => p99, { atMost: 100 }),
    row('delay of the event loop, longest, ms', ({ max }) => max, { atMost: 500 }),
    row('time of a health check, longest, ms', ({ healthMs }) => healthMs, { atMost: 500 }),
    row(`seconds until all ${clients} have their reply`, ({ seconds }) => seconds),
    { what: `${kind} answers: replies that are not as they should be`, atMost: 0, median: Math.max(...measured.map(({ wrong }) => wrong)) },
  ]
}

async function metricsOf(url) {
  const lines = (await (await fetch(`${url}/metrics`)).text()).split('\n').filter((line) => /^[a-z_0-9]+ /.test(line))
  return Object.fromEntries(lines.map((line) => line.split(' ')).map(([name, value]) => [name, Number(value)]))
}

async function startGateway(folder, upstream) {
  const schema = { type: 'object', required: ['a'], properties: { a: { type: 'string' } } }
  const route = (name) => ({ model: name, upstream: 'up', contract: name })
  const rest = { mode: 'lenient', retries: 0, allow: ['lossless', 'lossy', 'guess'] }
  const config = {
    server: { port: 0 },
    store: { url: `sqlite:${join(folder, 'stickler.db')}` },
    log: { level: 'warn' },
    upstreams: [{ name: 'up', kind: 'openai', baseUrl: `${upstream}/v1`, retries: 0 }],
    contracts: {
      prose: { checks: ['step_marker', 'adr_structure', { citations: {} }, { max_words: { limit: 1000 } }], ...rest },
      object: { checks: [{ json: { schema } }], ...rest },
    },
    routes: [route('prose'), route('object'), { ...route('prose'), model: 'deep' }, { ...route('prose'), model: 'wide' }],
  }
  await writeFile(join(folder, 'stickler.yaml'), JSON.stringify(config, null, 2))
  return startServe(folder)
}
