import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { check, contract } from '@stickler/core'
import { compare, ratio } from './harness.mjs'
import { hostileInputs } from './hostile-inputs.mjs'
import { cut, streamed } from './stream.mjs'

const child = fileURLToPath(new URL('hostile-child.mjs', import.meta.url))
const rules = contract({ preset: 'helix' })
const size = 50_000
const limitMs = 20_000

/** Twice as much of a hostile input must cost about twice as much; beside it, what the same input costs the peer. */
export async function benchHostile() {
  const rows = []
  for (const [kind, make] of Object.entries(hostileInputs)) rows.push(...(await growth(kind, make)), againstPeer(kind))
  return rows
}

async function growth(kind, make) {
  // Inputs with a fixed part need room before their growth shows.
  const [once, twice] = [make(size * 4), make(size * 8)]
  const [onceChunks, twiceChunks] = [cut(once), cut(twice)]
  const times = await compare(
    {
      once: () => check(rules, once),
      twice: () => check(rules, twice),
      streamOnce: () => streamed(onceChunks),
      streamTwice: () => streamed(twiceChunks),
    },
    { rounds: 11, warmUpMs: 200, budgetMs: 5000 },
  )
  const scale = (2 * once.length) / twice.length
  return [
    { what: `${kind}: whole check, time of 400 KB ÷ of 200 KB`, atMost: 3, ...ratio(times.twice, times.once, scale) },
    { what: `${kind}: stream, time of 400 KB ÷ of 200 KB`, atMost: 3, ...ratio(times.streamTwice, times.streamOnce, scale) },
  ]
}

/** The peer runs in a process of its own, since it may need minutes or die. */
function againstPeer(kind) {
  const what = `${kind}: mdast-util-from-markdown + GFM ÷ Stickler, 50 KB`
  const stickler = timeInChild('stickler', kind)
  const peer = timeInChild('mdast', kind)
  if (typeof stickler !== 'number') throw new Error(`${kind}: Stickler ended with ${stickler}`)
  if (peer === 'timeout') return { what, note: `more than ${round(limitMs / stickler)}, then stopped` }
  return typeof peer === 'number' ? { what, median: peer / stickler } : { what, note: 'it crashes' }
}

function timeInChild(reader, kind) {
  const { error, status, stdout } = spawnSync(process.execPath, [child, reader, kind, String(size)], {
    encoding: 'utf8',
    timeout: limitMs,
    killSignal: 'SIGKILL',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  if (error?.code === 'ETIMEDOUT') return 'timeout'
  return status === 0 ? Number(stdout) : 'crash'
}

function round(number) {
  return Number(number.toPrecision(1)).toLocaleString('en')
}
