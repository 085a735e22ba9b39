import type { Doom, Machines } from './machines.ts'
import { slicesOf, wholeCharacter } from './slices.ts'

/** So many pieces are read before one of them is read again in smaller ones. */
const pieces = 16

/**
 * The doom that character by character would have been found first: of several validators that fail within one chunk,
 * not the one that failed earliest in the text counts, but the one that could say so first.
 */
export function* searchDoom(start: () => Machines, text: string, from: number, repairs: boolean): DoomSearch {
  let low = from
  let high = text.length
  for (;;) {
    const machines = start()
    for (const slice of slicesOf(text.slice(0, low))) {
      machines.read(slice)
      yield
    }
    const step = Math.max(1, Math.ceil((high - low) / pieces))
    const found = readUntilDoom(machines, text, low, high, step, repairs)
    if (found === undefined) return undefined
    const isExact = found.high - found.low <= 1 || (step === 1 && found.high - found.low === 2)
    if (isExact) return found.doom
    low = found.low
    high = found.high
  }
}

/** A search for the first doom, which pauses where other work may run. */
export type DoomSearch = Generator<undefined, Doom | undefined>

interface Found {
  readonly doom: Doom
  readonly low: number
  readonly high: number
}

function readUntilDoom(machines: Machines, text: string, from: number, to: number, step: number, repairs: boolean): Found | undefined {
  for (let low = from; low < to; ) {
    const high = wholeCharacter(text, Math.min(to, low + step))
    machines.read(text.slice(low, high))
    const doom = machines.doom(repairs)
    if (doom) return { doom, low, high }
    low = high
  }
  return undefined
}
