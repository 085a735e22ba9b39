import { execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { guardedParser } from '@stickler/core/internal/services'
import { grpcParser } from '../packages/parser/dist/client/grpc-parser.js'
import { localParser } from '../packages/parser/dist/index.js'
import { compare, quartiles } from './harness.mjs'
import { hostileSources } from './parser/hostile-sources.mjs'
import { sampleOf } from './parser/samples.mjs'

const run = promisify(execFile)
const pathOf = (name) => fileURLToPath(new URL(`parser/${name}`, import.meta.url))
/** Snippets of 2 KB that are parsed one after the other, all different, so that none is remembered. */
const calls = 200
/** The limit of one snippet, and what a process may need to start and load a grammar after one that was ended. */
const limitMs = 2000
const startMs = 3000
/** One of each class; with --long, all. */
const commonKinds = ['open parentheses', 'one sum', 'open double quote']

/** The parsers by themselves, in processes of their own and over gRPC; the circuit breaker; and hostile code. */
export async function benchParser({ long }) {
  const local = localParser({ processes: 1 })
  const service = fork(pathOf('service-child.mjs'))
  const [port] = await once(service, 'message')
  const remote = grpcParser({ url: `grpc://127.0.0.1:${port}`, timeoutMs: 30_000 })
  try {
    const languages = local.languages()
    const measured = []
    for (const language of languages) measured.push({ language, ...(await parsed(language, { local, remote })) })
    const hostile = await endings(languages, long)
    return [...measured.map(describe), await python(), ...overGrpc(measured), await breaker(), ...hostile]
  } finally {
    await Promise.all([local.close(), remote.close()])
    service.disconnect()
  }
}

async function parsed(language, { local, remote }) {
  const { stdout } = await run(process.execPath, [pathOf('alone-child.mjs'), language])
  return { ...JSON.parse(stdout), local: await latency(language, local, 'a'), grpc: await latency(language, remote, 'b') }
}

function describe({ language, loadMs, speed, local, grpc }) {
  const times = ({ p50, p99 }) => `${p50.toFixed(2)} (${p99.toFixed(1)})`
  return {
    what: `${language}: MB/s; ms to load; ms for 2 KB by \`localParser\` and over gRPC, median (p99)`,
    note: `${speed.toFixed(speed < 10 ? 1 : 0)}; ${loadMs.toFixed(0)}; ${times(local)}; ${times(grpc)}`,
  }
}

function overGrpc(measured) {
  const medians = measured.map(({ grpc }) => grpc.p50)
  const added = measured.map(({ local, grpc }) => grpc.p50 - local.p50)
  return [
    { what: 'ms for 2 KB over gRPC on loopback, median of all languages', atMost: 2, ...quartiles(medians) },
    { what: 'ms that gRPC adds to `localParser`, median of all languages', ...quartiles(added) },
  ]
}

async function latency(language, parser, mark) {
  const times = []
  for (let call = -30; call < calls; call++) {
    // Blank lines are valid everywhere.
    const source = sampleOf(language, 2000) + blank(call + 30, mark)
    const started = performance.now()
    const { verdict } = await parser.parse(language, source)
    if (call >= 0) times.push(performance.now() - started)
    if (verdict !== 'valid') throw new Error(`${language}: the sample is ${verdict}`)
  }
  return { p50: quartiles(times).median, p99: times.sort((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1] }
}

/** Another end for each number. */
function blank(number, mark) {
  const digits = number.toString(2).replaceAll('0', '\n').replaceAll('1', '\r\n')
  return mark === 'a' ? digits : `\n\n${digits}`
}

/** What Python's own parser needs for the same text, where there is one. */
async function python() {
  const what = "python: MB/s of Python's own `ast.parse`, 100 KB of valid code"
  const script =
    'import ast,sys,time\nt=sys.stdin.read()\nast.parse(t)\nb=time.process_time()\nfor _ in range(20): ast.parse(t)\nprint(len(t)*20/1e6/(time.process_time()-b))'
  try {
    const running = run('python3', ['-c', script])
    running.child.stdin.end(sampleOf('python', 100_000))
    return { what, median: Number((await running).stdout) }
  } catch {
    return { what, note: 'there is no python3' }
  }
}

/** What the closed circuit adds to a call. */
async function breaker() {
  const verdict = { verdict: 'valid' }
  const bare = { parse: async () => verdict }
  const guarded = guardedParser(bare)
  const times = await compare({ guarded: () => guarded.parse('json', '1'), bare: () => bare.parse('json', '1') }, { rounds: 21 })
  const cost = times.guarded.map((ms, round) => (ms - times.bare[round]) * 1000)
  return { what: 'the circuit breaker, closed, with its time limit: µs per call', atMost: 20, ...quartiles(cost) }
}

/** How hostile code ends, and what comes after it. */
async function endings(languages, long) {
  const kinds = Object.entries(hostileSources).filter(([kind]) => long || commonKinds.includes(kind))
  const parser = localParser({ processes: 1, timeoutMs: limitMs })
  const found = { verdict: 0, refused: 0, unexpected: 0 }
  const times = []
  let lost = 0
  for (const language of languages) {
    for (const [kind, make] of kinds) {
      const started = performance.now()
      found[await ending(parser, language, make(1_000_000))]++
      times.push(performance.now() - started)
      if ((await ending(parser, language, `x${'\n'.repeat(kind.length)}`)) !== 'verdict') lost++
    }
  }
  await parser.close()
  const what = `${times.length} hostile sources of 1 MB`
  return [
    { what, note: `${found.verdict} have a verdict, ${found.refused} are refused at a limit` },
    { what: `${what}: ms, longest`, atMost: limitMs + startMs, median: Math.max(...times) },
    { what: `${what}: ended in another way`, atMost: 0, median: found.unexpected },
    { what: `${what}: next calls without a verdict`, atMost: 0, median: lost },
  ]
}

async function ending(parser, language, source) {
  try {
    await parser.parse(language, source)
    return 'verdict'
  } catch ({ reason }) {
    return reason === 'too-large' || reason === 'too-hard' ? 'refused' : 'unexpected'
  }
}
