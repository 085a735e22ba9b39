import { spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { quartiles } from './harness.mjs'

const stickler = fileURLToPath(new URL('../packages/cli/bin/stickler.js', import.meta.url))
const rounds = 3
const few = 20_000
const many = 1_000_000

/** `stickler eval` over recorded answers of half a kilobyte: lines per second on 1 and 2 threads, and memory for many lines. */
export async function benchEval({ long } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'stickler-bench-'))
  try {
    const contract = 'checks: [{ max_words: { limit: 80 } }, { links: { hosts: [acme.com] } }, placeholders]\n'
    await writeFile(join(folder, 'contract.yaml'), contract)
    for (const lines of [few / 10, few]) await writeAnswers(join(folder, `${lines}.jsonl`), lines)
    const run = (lines, ...more) =>
      runOnce([stickler, 'eval', `${lines}.jsonl`, '--contract', './contract.yaml', '--format', 'github', ...more], folder)
    const speeds = { 1: [], 2: [], cached: [] }
    const rate = ({ wallMs }, base) => ((few * 9) / 10 / (wallMs - base.wallMs)) * 1000
    for (let round = 0; round < rounds; round++) {
      for (const workers of [1, 2]) {
        const base = await run(few / 10, '--no-cache', '--workers', String(workers))
        speeds[workers].push(rate(await run(few, '--no-cache', '--workers', String(workers)), base))
      }
      await run(few)
      speeds.cached.push(rate(await run(few), await run(few / 10)))
    }
    const small = await run(few, '--no-cache')
    const rows = [
      { what: 'lines a second in one thread, start taken off', ...quartiles(speeds[1]) },
      { what: 'lines a second in two threads', ...quartiles(speeds[2]) },
      { what: 'lines a second when all verdicts are known', ...quartiles(speeds.cached) },
      { what: `MB of memory for ${few} lines`, median: small.rssMb },
    ]
    if (!long) return [...rows, { what: `memory for ${many} lines`, note: 'with --long' }]
    await writeAnswers(join(folder, `${many}.jsonl`), many)
    const large = await run(many, '--no-cache')
    const kept = await run(many)
    return [
      ...rows,
      { what: `MB of memory for ${many} lines, without kept verdicts`, median: large.rssMb },
      { what: `MB of memory for ${many} lines, with kept verdicts`, median: kept.rssMb },
      { what: `memory for ${many} lines ÷ for ${few}, without kept verdicts`, atMost: 1.6, median: large.rssMb / small.rssMb },
    ]
  } finally {
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
  const used = join(cwd, 'used.json')
  const started = performance.now()
  await new Promise((resolve, reject) => {
    const options = { cwd, stdio: 'ignore', env: { ...process.env, BENCH_USED: used } }
    spawn(process.execPath, ['--import', `data:text/javascript,${encodeURIComponent(farewell)}`, ...argv], options)
      .on('error', reject)
      .on('exit', resolve)
  })
  return { wallMs: performance.now() - started, ...JSON.parse(await readFile(used, 'utf8')) }
}
