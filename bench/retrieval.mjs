import { execFile } from 'node:child_process'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startPostgres } from './retrieval/postgres.mjs'

const child = fileURLToPath(new URL('./retrieval/child.mjs', import.meta.url))
const run = promisify(execFile)
const megabyte = 1e6

/** An index of many passages: how fast it is written, how long hybrid queries take, what it weighs; embedded and in PostgreSQL. */
export async function benchRetrieval({ chunks = 100_000, seed = 1 } = {}) {
  const embedded = await inFile(chunks, seed)
  printDetails('embedded', embedded)
  const scaled = await inPostgres(chunks, seed)
  printDetails('PostgreSQL', scaled)
  const rows = [...rowsOf('embedded', embedded), ...rowsOf('PostgreSQL', scaled)]
  return [
    ...rows,
    { what: 'p50 of a hybrid query: PostgreSQL ÷ embedded', median: scaled.hybrid.p50 / embedded.hybrid.p50 },
    { what: 'chunks per second: embedded ÷ PostgreSQL', median: embedded.chunksPerSecond / scaled.chunksPerSecond },
  ]
}

async function inFile(chunks, seed) {
  const folder = await mkdtemp(join(tmpdir(), 'stickler-bench-index-'))
  try {
    const file = join(folder, 'index.db')
    const measured = await measure(file, chunks, 300, seed)
    return { ...measured, size: (await stat(file)).size / megabyte }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function inPostgres(chunks, seed) {
  const server = await startPostgres()
  try {
    const measured = await measure(server.url, chunks, 100, seed)
    const memory = server.memory()
    return {
      ...measured,
      size: (await server.size()) / megabyte,
      ...(memory === undefined ? {} : { memory: measured.memory + memory / megabyte }),
    }
  } finally {
    await server.stop()
  }
}

async function measure(url, chunks, queries, seed) {
  const { stdout } = await run(process.execPath, [child, url, String(chunks), String(queries), String(seed)], { maxBuffer: 1e7 })
  return JSON.parse(stdout)
}

function printDetails(name, measured) {
  console.log(`${name}: ${JSON.stringify(measured)}`)
}

function rowsOf(name, { chunksPerSecond, writtenPerSecond, first, hybrid, together, text, vector, memory, size, loopMs }) {
  const row = (what, median) => ({ what: `${name}: ${what}`, median })
  return [
    row('chunks per second, with terms and local embeddings', chunksPerSecond),
    row('chunks per second, written only', writtenPerSecond),
    row('first query, ms', first),
    row('hybrid query, p50, ms', hybrid.p50),
    row('hybrid query, p99, ms', hybrid.p99),
    row('text half alone, p50, ms', text.p50),
    row('text half alone, p99, ms', text.p99),
    row('vector half alone, p50, ms', vector.p50),
    row('vector half alone, p99, ms', vector.p99),
    row('hybrid queries per second, 8 at once', together),
    row('longest delay of the event loop meanwhile, ms', loopMs),
    row('memory, all processes, MB', memory),
    row('file or database, MB', size),
  ]
}
