import { isHighSurrogate } from '../../answer/characters.ts'
import type { WaitLimit } from '../waiting/wait-at-most.ts'
import type { Doom, Machines } from './machines.ts'

/** So many pieces are read before one of them is read again in smaller ones. */
const pieces = 16

/**
 * The doom that character by character would have been found first: of several validators that fail within one chunk,
 * not the one that failed earliest in the text counts, but the one that could say so first.
 */
export function* searchDoom(start: () => Machines, text: string, from: number, repairs: boolean, limit: WaitLimit): DoomSearch {
  let low = from
  let high = text.length
  for (;;) {
    const machines = start()
    for (const slice of slicesOf(text.slice(0, low))) {
      machines.read(slice)
      yield machines.waits ? machines.settle(limit) : undefined
    }
    const step = Math.max(1, Math.ceil((high - low) / pieces))
    const found = yield* readUntilDoom(machines, text, { low, high, step, repairs, limit })
    if (found === undefined) return undefined
    const isExact = found.high - found.low <= 1 || (step === 1 && found.high - found.low === 2)
    if (isExact) return found.doom
    low = found.low
    high = found.high
  }
}

/** A search for the first doom, which pauses where other work may run, and where verdicts have to be waited for. */
export type DoomSearch = Generator<Promise<void> | undefined, Doom | undefined>

interface Range {
  readonly low: number
  readonly high: number
  readonly step: number
  readonly repairs: boolean
  readonly limit: WaitLimit
}

interface Found {
  readonly doom: Doom
  readonly low: number
  readonly high: number
}

function* readUntilDoom(machines: Machines, text: string, range: Range): Generator<Promise<void> | undefined, Found | undefined> {
  const { step, repairs, limit } = range
  for (let low = range.low; low < range.high; ) {
    const high = wholeCharacter(text, Math.min(range.high, low + step))
    machines.read(text.slice(low, high))
    if (machines.waits) yield machines.settle(limit)
    const doom = machines.doom(repairs)
    if (doom) return { doom, low, high }
    low = high
  }
  return undefined
}

/** Characters that are read at a time: a few milliseconds for the slowest set of checks. */
const sliceLength = 16_384

/** Whether a text is too long to be read at once while others wait. */
export function isLong(text: string): boolean {
  return text.length > sliceLength
}

/** Cuts a text into slices, never inside of a character. */
export function* slicesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const end = wholeCharacter(text, Math.min(text.length, start + sliceLength))
    yield text.slice(start, end)
    start = end
  }
}

/** The first offset from this one on that does not split a character. */
function wholeCharacter(text: string, offset: number): number {
  return isHighSurrogate(text.charCodeAt(offset - 1)) && offset < text.length ? offset + 1 : offset
}
