/** What sums are grouped by. */
export const dimensions = ['contract', 'model', 'upstream', 'key', 'api', 'status'] as const

/** One of the names that sums are grouped by. */
export type Dimension = (typeof dimensions)[number]

/** What is added up over runs. */
export const summed = [
  'runs',
  'attempts',
  'retries',
  'retried',
  'repairs',
  'promptTokens',
  'completionTokens',
  'cost',
  'retryTokens',
  'retryCost',
  'savedTokens',
  'savedCost',
] as const

/** One of the numbers that are added up. */
export type Summed = (typeof summed)[number]

/** The durations of which there are percentiles. */
export const timed = ['ms', 'addedMs', 'firstTextMs'] as const

/** What is counted by two names, and how many numbers each has. */
export const tallied = {
  /** By validator and code: runs, fixed, remaining, retries, cost. */
  rules: 5,
  /** By rule and class: count, runs. */
  repairs: 2,
  /** By validator and cause: runs. */
  unchecked: 1,
  /** By reason and kind of failure: runs. */
  failures: 1,
} as const

/** One of the tables of a cell. */
export type Tallied = keyof typeof tallied

/** What sums have of one run. */
export interface RunFacts {
  readonly seq: number
  readonly at: number
  /** In the order of `dimensions`. */
  readonly names: readonly string[]
  /** In the order of `summed`. */
  readonly sums: readonly number[]
  /** In the order of `timed`; null where there is none. */
  readonly times: readonly (number | null)[]
  readonly tallies: Readonly<Record<Tallied, readonly Tally[]>>
}

/** Numbers under two names. */
export type Tally = readonly [first: string, second: string, ...numbers: readonly number[]]
