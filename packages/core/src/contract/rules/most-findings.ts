/** More findings than anybody reads are a fault of the check. */
const mostFindings = 1000

/** What is said of a check from outside that yields too much to be a verdict; undefined when it keeps the bound. */
export function floodProblem(count: number): string | undefined {
  return count > mostFindings ? `yields more than ${mostFindings} findings` : undefined
}
