import { check, contract } from '@stickler/core'
import { helix } from '@stickler/presets/helix'
import { makeAdr } from './adr.mjs'
import { hostileInputs } from './hostile-inputs.mjs'
import { mdast } from './peers.mjs'

// Prints how many milliseconds one reader needs for one hostile input; its parent ends it when that takes too long.
const [reader, kind, size] = process.argv.slice(2)
const rules = contract({ preset: helix })
const read = { stickler: (text) => check(rules, text), mdast }[reader]

const ordinary = makeAdr(20_000)
for (let run = 0; run < 20; run++) await read(ordinary)

const text = hostileInputs[kind](Number(size))
const times = []
do {
  const started = performance.now()
  await read(text)
  times.push(performance.now() - started)
} while (times.length < 5 && times[0] < 1000)
console.log(Math.min(...times))
