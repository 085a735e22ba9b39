import { appendFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type * as FastCheck from 'fast-check'
import { seed, timeLimit, times } from './random.ts'

// The tests get this module for `fast-check`, so it cannot import that name.
const real = createRequire(import.meta.url)('fast-check') as typeof FastCheck

type Parameters = FastCheck.Parameters<unknown>

/** What a test asks for, with the seed and the number of cases of this run. */
function asRun(given: Parameters = {}): Parameters {
  return {
    seed,
    ...(timeLimit === undefined ? {} : { interruptAfterTimeLimit: timeLimit }),
    ...given,
    numRuns: (given.numRuns ?? 100) * times,
  }
}

/** Notes the number of cases for `npm run test:random`, which sums it up. */
function count({ numRuns }: { readonly numRuns: number }): void {
  const file = process.env.STICKLER_COUNTS
  if (file !== undefined) appendFileSync(file, `${numRuns}\n`)
}

function assert(property: FastCheck.IRawProperty<unknown>, given?: Parameters): Promise<void> | void {
  const asked = asRun(given)
  const run = real.check(property, asked) as FastCheck.RunDetails<unknown> | Promise<FastCheck.RunDetails<unknown>>
  const report = (details: FastCheck.RunDetails<unknown>) => {
    count(details)
    if (details.failed) throw new Error(real.defaultReportMessage(details), { cause: details.errorInstance })
  }
  return run instanceof Promise ? run.then(report) : report(run)
}

/** A sample has the size that its test asks for: it may be sent all at once. */
function sample(generator: FastCheck.Arbitrary<unknown>, given?: Parameters | number): unknown[] {
  const samples = real.sample(generator, { seed, ...(typeof given === 'number' ? { numRuns: given } : given) })
  count({ numRuns: samples.length })
  return samples
}

/** fast-check with the seed and the number of cases from one place. */
// biome-ignore lint/style/noDefaultExport: it stands in for a module that has one.
export default { ...real, assert, sample }
