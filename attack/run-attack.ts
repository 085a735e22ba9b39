import type { Attack, Found } from './attack.ts'

/** How long, and from which seed on, an attack is run. */
export interface Plan {
  readonly seed: number
  /** On the clock that `now` reads. */
  readonly until: number
  readonly now: () => number
}

/** What an attack has shown. */
export interface Result {
  readonly cases: number
  readonly ms: number
  readonly found?: Found
}

/** Few enough that the end is kept, many enough that cases grow. */
const casesPerBatch = 50
/** What is started remembers every request, so it is started anew before it fills the memory. */
const batchesPerStart = 40
/** To make a case small that was found in the last moment. */
const shrinkingMs = 30_000

/** Runs an attack until its time is over, or a difference is found. */
export async function runAttack(attack: Attack, { seed, until, now }: Plan): Promise<Result> {
  const startedAt = now()
  let cases = 0
  for (let batch = 0; now() < until; ) {
    const running = await attack.start()
    try {
      for (let turn = 0; turn < batchesPerStart && now() < until; turn++, batch++) {
        const limit = Math.max(0, until - now()) + shrinkingMs
        const checked = await running.check({ seed: batchSeed(seed, batch), numRuns: casesPerBatch, interruptAfterTimeLimit: limit })
        cases += checked.cases
        if (checked.found !== undefined) return { cases, ms: now() - startedAt, found: checked.found }
      }
    } finally {
      await running.close()
    }
  }
  return { cases, ms: now() - startedAt }
}

/** Runs one case again: the seed of its batch, and the path to it. */
export async function replay(attack: Attack, written: string, ms: number): Promise<Found | undefined> {
  const [seed = '', ...path] = written.split(':')
  const running = await attack.start()
  try {
    return (await running.check({ seed: Number(seed), path: path.join(':'), interruptAfterTimeLimit: ms })).found
  } finally {
    await running.close()
  }
}

/** Spread out, so that neighbouring seeds share no batch. */
function batchSeed(seed: number, batch: number): number {
  return (Math.imul(seed, 0x9e3779b1) + batch) & 0x7fffffff
}
