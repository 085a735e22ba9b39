import { spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { quartiles } from './harness.mjs'
import { startPostgres } from './retrieval/postgres.mjs'

const stickler = fileURLToPath(new URL('../packages/cli/bin/stickler.js', import.meta.url))
const plainLoop = fileURLToPath(new URL('eval/plain-loop.mjs', import.meta.url))
const rounds = 3
const few = 20_000
const many = 1_000_000

/** `stickler eval` over recorded answers of half a kilobyte: lines per second in threads and by workers of a queue, against a plain loop, and memory for many lines. */
export async function benchEval({ long } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'stickler-bench-'))
  const postgres = await startPostgres()
  try {
    const contract = 'checks: [{ max_words: { limit: 80 } }, { links: { hosts: [acme.com] } }, placeholders]\n'
    await writeFile(join(folder, 'contract.yaml'), contract)
    for (const lines of [few / 10, few]) await writeAnswers(join(folder, `${lines}.jsonl`), lines)
    const evaluate = (lines, ...more) =>
      runOnce([stickler, 'eval', `${lines}.jsonl`, '--contract', './contract.yaml', '--format', 'github', ...more], folder)
    const byQueue = (lines, ...more) => evaluate(lines, '--queue', postgres.url, ...more)
    const startWorker = () =>
      start(
        [stickler, 'worker', '--queue', postgres.url, '--contract', './contract.yaml', '--threads', '1'],
        folder,
        `worker${Math.random()}`,
      )
    const rate = async (run) => {
      const base = await run(few / 10)
      return ((few * 9) / 10 / ((await run(few)).wallMs - base.wallMs)) * 1000
    }
    const speeds = { plain: [], 1: [], 2: [], cached: [], queue1: [], queue2: [] }
    for (let round = 0; round < rounds; round++) {
      speeds.plain.push(await rate((lines) => runOnce([plainLoop, 'contract.yaml', `${lines}.jsonl`], folder)))
      for (const workers of [1, 2]) speeds[workers].push(await rate((lines) => evaluate(lines, '--no-cache', '--workers', String(workers))))
      await evaluate(few)
      speeds.cached.push(await rate((lines) => evaluate(lines)))
      const first = startWorker()
      await byQueue(few / 10, '--no-cache')
      speeds.queue1.push(await rate((lines) => byQueue(lines, '--no-cache')))
      const second = startWorker()
      await byQueue(few / 10, '--no-cache')
      speeds.queue2.push(await rate((lines) => byQueue(lines, '--no-cache')))
      await Promise.all([first.stop(), second.stop()])
    }
    const over = (name) => quartiles(speeds[name].map((speed, round) => speed / speeds.plain[round]))
    const small = await evaluate(few, '--no-cache')
    const rows = [
      { what: 'lines a second in a plain loop over the library, start taken off here and below', ...quartiles(speeds.plain) },
      { what: 'lines a second: eval ÷ plain loop', ...over('1') },
      { what: 'lines a second: eval in two threads ÷ plain loop', ...over('2') },
      { what: 'lines a second: eval with a queue and one worker ÷ plain loop', ...over('queue1') },
      { what: 'lines a second: eval with a queue and two workers ÷ plain loop', ...over('queue2') },
      { what: 'lines a second: eval when all verdicts are known ÷ plain loop', ...over('cached') },
      { what: `MB of memory for ${few} lines`, median: small.rssMb },
    ]
    if (!long) return [...rows, { what: `memory for ${many} lines`, note: 'with --long' }]
    await writeAnswers(join(folder, `${many}.jsonl`), many)
    const large = await evaluate(many, '--no-cache')
    const kept = await evaluate(many)
    const workers = [startWorker(), startWorker()]
    const smallQueue = await byQueue(few, '--no-cache')
    const queue = await byQueue(many, '--no-cache')
    const size = await postgres.size()
    const [worker] = await Promise.all(workers.map((one) => one.stop()))
    return [
      ...rows,
      { what: `MB of memory for ${many} lines, without kept verdicts`, median: large.rssMb },
      { what: `MB of memory for ${many} lines, with kept verdicts`, median: kept.rssMb },
      { what: `MB of memory for ${many} lines, with a queue: eval`, median: queue.rssMb },
      { what: `MB of memory for ${many} lines, with a queue: a worker`, median: worker.rssMb },
      { what: `lines a second for ${many} lines, with a queue and two workers, start included`, median: (many / queue.wallMs) * 1000 },
      { what: `MB of the database after ${many} lines`, median: size / 1e6 },
      { what: `memory for ${many} lines ÷ for ${few}, without kept verdicts`, atMost: 2, median: large.rssMb / small.rssMb },
      { what: `memory for ${many} lines ÷ for ${few}, with a queue`, atMost: 1.6, median: queue.rssMb / smallQueue.rssMb },
    ]
  } finally {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function writeAnswers(path, lines) {
  const file = createWriteStream(path)
  for (let at = 0; at < lines; at++) {
    const text = `Answer ${at}. ${'Open the page and save it, then read on. '.repeat(at % 20)}`
    if (!file.write(`${JSON.stringify({ id: `r${at}`, text })}\n`)) await new Promise((resolve) => file.once('drain', resolve))
  }
  file.end()
  await finished(file)
}

/** The process says itself what it has used, as its last act. */
const farewell = `import { writeFileSync } from 'node:fs'
process.on('exit', () => writeFileSync(process.env.BENCH_USED, JSON.stringify({ rssMb: process.resourceUsage().maxRSS / 1024 })))`

async function runOnce(argv, cwd) {
  const started = performance.now()
  const { used, ended } = start(argv, cwd, 'used')
  const code = await ended
  if (code !== 0) throw new Error(`${argv.slice(1).join(' ')} has ended with ${code}`)
  return { wallMs: performance.now() - started, ...(await used()) }
}

function start(argv, cwd, name) {
  const file = join(cwd, `${name}.json`)
  const options = { cwd, stdio: 'ignore', env: { ...process.env, BENCH_USED: file } }
  const child = spawn(process.execPath, ['--import', `data:text/javascript,${encodeURIComponent(farewell)}`, ...argv], options)
  const ended = new Promise((resolve, reject) => child.on('error', reject).on('exit', resolve))
  const used = async () => JSON.parse(await readFile(file, 'utf8'))
  return {
    ended,
    used,
    async stop() {
      child.kill('SIGTERM')
      await ended
      return used()
    },
  }
}
