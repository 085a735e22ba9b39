/** Work that is shorter runs once untimed before each sample, to get over what the candidate before it has left behind. */
const shortMs = 100

/**
 * Runs the candidates in turns, so that noise hits all alike, and returns for each the milliseconds per run, round by round.
 * They are milliseconds of the processor, not of the clock: what else the machine does counts little.
 * A sample repeats short work until it lasts `sampleMs`; `budgetMs` cuts the number of rounds, but not below five.
 * Garbage is not collected by hand: that throws optimised code away and measures the interpreter.
 */
export async function compare(candidates, { rounds = 31, sampleMs = 40, warmUpMs = 500, budgetMs = 20_000 } = {}) {
  const entries = []
  for (const [name, work] of Object.entries(candidates)) entries.push({ name, work, ...(await warmUp(work, warmUpMs, sampleMs)) })
  const times = Object.fromEntries(entries.map(({ name }) => [name, []]))
  const started = performance.now()
  for (let round = 0; round < rounds && (round < 5 || performance.now() - started < budgetMs); round++) {
    // Each round begins with another candidate: none always runs in the wake of the same one.
    for (let turn = 0; turn < entries.length; turn++) {
      const { name, work, repeats, short } = entries[(round + turn) % entries.length]
      if (short) await work()
      times[name].push(await sample(work, repeats))
    }
  }
  return times
}

/** The ratio of two candidates, taken round by round: its median and the quartiles. */
export function ratio(times, divisor, scale = 1) {
  return quartiles(times.map((ms, round) => (ms / divisor[round]) * scale))
}

/** The median and the quartiles of some numbers. */
export function quartiles(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b)
  const at = (share) => sorted[Math.round((sorted.length - 1) * share)]
  return { low: at(0.25), median: at(0.5), high: at(0.75) }
}

/** Runs until the compiler has had its time, and tells how many runs make a sample. */
async function warmUp(work, warmUpMs, sampleMs) {
  const started = performance.now()
  let fastest = Number.POSITIVE_INFINITY
  for (let runs = 0; runs < 2 || performance.now() - started < warmUpMs; runs++) fastest = Math.min(fastest, await sample(work, 1))
  return { repeats: Math.max(1, Math.ceil(sampleMs / fastest)), short: fastest < shortMs }
}

async function sample(work, repeats) {
  const started = process.cpuUsage()
  for (let run = 0; run < repeats; run++) {
    const result = work()
    if (result instanceof Promise) await result
  }
  const { user, system } = process.cpuUsage(started)
  return Math.max(1, user + system) / 1000 / repeats
}
