import fc from 'fast-check'

/** One comparison of two ways that must agree. */
export interface Attack {
  readonly name: string
  /** What is compared with what. */
  readonly compares: string
  /** Starts what the comparison needs. */
  start(): Promise<RunningAttack>
}

/** An attack that can be run, until it is closed. */
export interface RunningAttack {
  check(parameters: fc.Parameters<unknown>): Promise<Checked>
  close(): Promise<void>
}

/** What some random cases have shown. */
export interface Checked {
  readonly cases: number
  /** The smallest case that was found to differ, where one did. */
  readonly found?: Found
}

/** A case on which the two ways differ. */
export interface Found {
  /** Gives the same case again: seed and path. */
  readonly case: string
  readonly input: unknown
  readonly difference: string
}

/** Compares random cases; `compare` throws where the two ways differ. */
export function attackWith<Case>(
  cases: fc.Arbitrary<Case>,
  compare: (one: Case) => void | Promise<void>,
  close: () => Promise<void> = async () => {},
): RunningAttack {
  return {
    close,
    async check({ seed, path, numRuns, interruptAfterTimeLimit }) {
      const parameters = Object.entries({ seed, path, numRuns, interruptAfterTimeLimit }).filter(([, value]) => value !== undefined)
      const property = fc.asyncProperty(cases, async (one) => {
        await compare(one)
      })
      const details = await fc.check(property, Object.fromEntries(parameters))
      if (!details.failed || details.counterexample === null) return { cases: details.numRuns }
      const [input] = details.counterexample
      const thrown = details.errorInstance
      const difference = thrown instanceof Difference ? thrown.message : thrown instanceof Error ? String(thrown.stack) : String(thrown)
      return { cases: details.numRuns, found: { case: `${details.seed}:${details.counterexamplePath}`, input, difference } }
    },
  }
}

/** Two ways that should agree do not. */
export class Difference extends Error {}

/** Throws when two values differ; `undefined` and absent are the same. */
export function same(what: string, first: unknown, second: unknown): void {
  const [left, right] = [written(first), written(second)]
  if (left !== right) throw new Difference(`${what}\n  ${left}\n  ${right}`)
}

/** Throws when something does not hold. */
export function holds(what: string, is: boolean, ...seen: readonly unknown[]): void {
  if (!is) throw new Difference([what, ...seen.map((one) => `  ${written(one)}`)].join('\n'))
}

/** JSON with the keys in order. */
function written(value: unknown): string {
  return (
    JSON.stringify(value, (_key, inner: unknown) =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? // As entries, because `__proto__` is a key like any other.
          Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
        : inner,
    ) ?? 'undefined'
  )
}
