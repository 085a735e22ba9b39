import recheck from 'recheck/lib/browser.js'

/** Time for one expression: what is not decided by then needs a reason beside it. */
const timeout = 20_000

/** Why an expression may take more than linear time; undefined when it may not. */
export function complaintOf(source, flags) {
  // `d` only adds offsets; `v` reads the few expressions that we write as `u` does.
  const { status, complexity, error, attack } = recheck.checkSync(source, flags.replace('d', '').replace('v', 'u'), { timeout })
  if (status === 'safe') return undefined
  if (status === 'unknown') return `cannot be judged (${error?.kind ?? 'no reason given'})`
  return `takes ${complexity.summary} time, for instance for ${attack.pattern}`
}
