/** A share with the range in which it lies for other answers of the same kind. */
export interface Interval {
  readonly share: number
  readonly low: number
  readonly high: number
}

/** The 97.5 % quantile of the normal distribution: 2.5 % on either side are left out. */
const z = 1.959963984540054

/** The Wilson score interval at 95 %; undefined without any case. */
export function wilson(passed: number, of: number): Interval | undefined {
  if (!(of > 0)) return undefined
  const share = passed / of
  const weight = (z * z) / of
  const middle = share + weight / 2
  const reach = z * Math.sqrt((share * (1 - share)) / of + weight / (4 * of))
  return {
    share,
    // Rounding must not exclude what was observed.
    low: passed === 0 ? 0 : Math.max(0, (middle - reach) / (1 + weight)),
    high: passed === of ? 1 : Math.min(1, (middle + reach) / (1 + weight)),
  }
}

/** Fewer pairs that differ say nothing about other answers. */
export const fewestPairs = 20

/** What pairs that differ say about two contracts. */
export interface Discordance {
  /** Pairs of which only the second passes, and of which only the first does. */
  readonly better: number
  readonly worse: number
  /** Two-sided, exact; absent when there are too few pairs to say. */
  readonly p?: number
}

/** McNemar's test on pairs of which only one passes. */
export function discordance(better: number, worse: number): Discordance {
  return better + worse < fewestPairs ? { better, worse } : { better, worse, p: mcnemar(better, worse) }
}

/** The exact two-sided p of McNemar's test: how likely so uneven a split is when both are equally good. */
export function mcnemar(better: number, worse: number): number {
  const pairs = better + worse
  const fewer = Math.min(better, worse)
  if (better === worse) return 1
  // The largest term of the sum first, as a logarithm: 2 ** -pairs alone is 0 from 1075 on.
  let largest = -pairs * Math.LN2
  for (let at = 1; at <= fewer; at++) largest += Math.log((pairs - at + 1) / at)
  let sum = 0
  let term = 1
  for (let at = fewer; at >= 0 && term > Number.EPSILON * sum * 1e-3; at--) {
    sum += term
    term *= at / (pairs - at + 1)
  }
  return Math.min(1, 2 * Math.exp(largest + Math.log(sum)))
}
