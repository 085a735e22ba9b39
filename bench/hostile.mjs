import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { check, contract } from '@stickler/core'
import { helix } from '@stickler/presets/helix'
import { growthOf } from './complexity/growth.mjs'
import { makeRecipe, randomFrom, showRecipe } from './complexity/recipes.mjs'
import { scanners } from './complexity/scanners.mjs'
import { compare, quartiles } from './harness.mjs'
import { hostileInputs } from './hostile-inputs.mjs'
import { cut, streamed } from './stream.mjs'

const child = fileURLToPath(new URL('hostile-child.mjs', import.meta.url))
const rules = contract({ preset: helix })
const size = 50_000
const limitMs = 15_000
/** What a child may need to start and to get warm. */
const startMs = 5000

/** Twice as much of a hostile input must cost about twice as much; beside it, what the same input costs the peer, and what random texts cost. */
export async function benchHostile(options) {
  const rows = []
  for (const [kind, make] of Object.entries(hostileInputs)) rows.push(...(await growth(kind, make)), againstPeer(kind))
  return [...rows, ...(await complexity(options))]
}

/** What random texts of each scanner's grammar cost at four times the size: another seed is another search. */
async function complexity({ long, seed = Date.now() % 1_000_000 }) {
  const texts = long ? 5000 : 100
  const rows = []
  console.log(`seed ${seed}, ${texts} texts for each scanner`)
  for (const scanner of await scanners((folder, path) => import(`../packages/${folder}/dist/${path}.js`))) {
    const random = randomFrom(Number(seed))
    let worst = { ratio: 0, largeMs: 0, recipe: [] }
    for (let index = 0; index < texts; index++) {
      const recipe = makeRecipe(scanner.grammar, random)
      const found = await growthOf(scanner, recipe, 12_000)
      if (found.bad) console.log(`${scanner.name}: ${showRecipe(recipe)} costs ${found.ratio.toFixed(1)} times as much`)
      if (found.ratio > worst.ratio) worst = { ...found, recipe }
    }
    const what = `${scanner.name}: most that four times the text costs`
    rows.push(worst.ratio === 0 ? { what, note: 'less than 40 ms for 48 KB' } : { what, atMost: 9, median: worst.ratio })
  }
  return rows
}

async function growth(kind, make) {
  const [small, large] = [make(size), make(size * 16)]
  const [smallChunks, largeChunks] = [cut(small), cut(large)]
  const times = await compare(
    {
      whole: () => check(rules, small),
      wholeLarge: () => check(rules, large),
      stream: () => streamed(smallChunks),
      streamLarge: () => streamed(largeChunks),
    },
    { rounds: 15, warmUpMs: 200, budgetMs: 5000 },
  )
  // Over four doublings: over a single one the steps of the garbage collector are as large as what is looked for.
  const doublings = Math.log2(large.length / small.length)
  const perDoubling = (few, many) => quartiles(many.map((ms, round) => (ms / few[round]) ** (1 / doublings)))
  return [
    { what: `${kind}: whole check, per doubling`, atMost: 3, ...perDoubling(times.whole, times.wholeLarge) },
    { what: `${kind}: stream, per doubling`, atMost: 3, ...perDoubling(times.stream, times.streamLarge) },
  ]
}

/** The peer runs in a process of its own, since it may need minutes or die. */
function againstPeer(kind) {
  const what = `${kind}: mdast-util-from-markdown + GFM ÷ Stickler, 50 KB`
  const stickler = timeInChild('stickler', kind)
  const peer = timeInChild('mdast', kind)
  if (typeof stickler !== 'number') throw new Error(`${kind}: Stickler ended with ${stickler}`)
  if (peer === 'timeout') return { what, note: `more than ${roundDown(limitMs / stickler)}, then stopped` }
  return typeof peer === 'number' ? { what, median: peer / stickler } : { what, note: 'it crashes' }
}

function timeInChild(reader, kind) {
  const { error, status, stdout } = spawnSync(process.execPath, [child, reader, kind, String(size)], {
    encoding: 'utf8',
    timeout: limitMs + startMs,
    killSignal: 'SIGKILL',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  if (error?.code === 'ETIMEDOUT') return 'timeout'
  return status === 0 ? Number(stdout) : 'crash'
}

/** One digit: more would promise too much. */
function roundDown(number) {
  const unit = 10 ** Math.floor(Math.log10(number))
  return (Math.floor(number / unit) * unit).toLocaleString('en')
}
