import { cook } from './recipes.mjs'

/** Less work than this at the larger size is noise, whatever its ratio. */
const floorMs = 40

/** Four times as much text may cost this many times as much: a quadratic scanner needs 16 times as much. */
const most = 9

/** More work than this is no noise: a larger text would only take longer. */
const enoughMs = 500

// What helpers of the runtime do beside the scanner, such as collecting garbage, is not counted where it can be left out.
const usage = process.threadCpuUsage?.bind(process) ?? process.cpuUsage.bind(process)

/** Milliseconds of the processor, the best of some runs: what else the machine does counts little. */
async function cost(run, text, runs) {
  let best = Number.POSITIVE_INFINITY
  for (let index = 0; index < runs; index++) {
    const before = usage()
    await run(text)
    const { user, system } = usage(before)
    best = Math.min(best, (user + system) / 1000)
  }
  return best
}

/**
 * What a scanner needs for the text of a recipe at a size and at four times the size; `bad` when that is more than linear, and still is at larger
 * sizes: one that looks back a bounded way, as streams do, grows faster only up to that bound, and so does one that fills a cache of the processor.
 */
export async function growthOf(scanner, recipe, size) {
  let growth
  for (const factor of [1, 4, 16]) {
    growth = await growthAt(scanner, recipe, size * factor)
    if (!growth.bad || growth.largeMs > enoughMs) break
  }
  return growth
}

async function growthAt({ run }, recipe, size) {
  const [small, large] = [cook(recipe, size), cook(recipe, size * 4)]
  let largeMs = await cost(run, large, 1)
  if (largeMs < floorMs) return { largeMs, ratio: 0, bad: false }
  let ratio = Number.POSITIVE_INFINITY
  const rounds = largeMs > enoughMs ? 4 : 8
  // Measured again before it counts: the first time includes what the compiler does.
  for (let round = 0; round < rounds && ratio > most && largeMs >= floorMs; round++) {
    largeMs = Math.min(largeMs, await cost(run, large, 2))
    ratio = Math.min(ratio, largeMs / (await cost(run, small, 3)))
  }
  return largeMs < floorMs ? { largeMs, ratio: 0, bad: false } : { largeMs, ratio, bad: ratio > most }
}
