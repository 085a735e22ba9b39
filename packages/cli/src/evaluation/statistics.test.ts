import fc from 'fast-check'
import { expect, it, test } from 'vitest'
import { discordance, fewestPairs, mcnemar, wilson } from './statistics.ts'

/** The same by counting every split, in whole numbers: exact, and only as quick as that. */
function exact(better: number, worse: number): number {
  const pairs = BigInt(better + worse)
  const fewer = BigInt(Math.min(better, worse))
  let ways = 1n
  let sum = 0n
  for (let at = 0n; at <= fewer; at++) {
    sum += ways
    ways = (ways * (pairs - at)) / (at + 1n)
  }
  const all = 2n ** pairs
  const digits = 10n ** 330n
  const scaled = (2n * sum * digits) / all
  return scaled >= digits ? 1 : Number(`${scaled}e-330`)
}

it('has the p that counting has', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 0, max: 500 }), (better, worse) => {
      const [p, counted] = [mcnemar(better, worse), exact(better, worse)]
      expect(Math.abs(p - counted)).toBeLessThanOrEqual(counted * 1e-10)
      expect(mcnemar(worse, better)).toBe(p)
    }),
  )
})

test.each([
  [0, 0, 1],
  [1, 1, 1],
  [500_000, 500_000, 1],
  // 2 / 2 ** 20
  [0, 20, 1.9073486328125e-6],
  [0, 1000, 1.8665272370064378e-301],
  [0, 1_000_000, 0],
])('%i against %i have p = %d', (better, worse, p) => expect(mcnemar(better, worse)).toBeCloseTo(p, 12))

it('is the normal approximation where there are many pairs', () => {
  // 500 500 of 1 000 000 are one standard deviation away: 2 × 15.87 %.
  expect(mcnemar(499_500, 500_500)).toBeCloseTo(0.3176, 3)
})

it('says nothing about few pairs', () => {
  expect(discordance(0, fewestPairs - 1)).toEqual({ better: 0, worse: fewestPairs - 1 })
  expect(discordance(0, fewestPairs).p).toBeLessThan(0.00001)
})

/** The bounds of Wilson's interval are the shares from which the observed one is exactly z standard errors away. */
function bisect(passed: number, of: number, from: number, to: number): number {
  let [near, far] = [from, to]
  for (let round = 0; round < 200; round++) {
    const share = (near + far) / 2
    const away = Math.abs(passed / of - share) / Math.sqrt((share * (1 - share)) / of)
    if (away < 1.959963984540054) near = share
    else far = share
  }
  return (near + far) / 2
}

it('has the bounds that the score equation has', () => {
  const cases = fc.integer({ min: 1, max: 1_000_000 }).chain((of) => fc.tuple(fc.integer({ min: 0, max: of }), fc.constant(of)))
  fc.assert(
    fc.property(cases, ([passed, of]) => {
      const { share, low, high } = wilson(passed, of) ?? { share: -1, low: -1, high: -1 }
      expect(share).toBe(passed / of)
      expect(low).toBeCloseTo(passed === 0 ? 0 : bisect(passed, of, share, 0), 9)
      expect(high).toBeCloseTo(passed === of ? 1 : bisect(passed, of, share, 1), 9)
      expect([low <= share, share <= high]).toEqual([true, true])
    }),
  )
})

it('knows no share of nothing, and none that is certain', () => {
  expect(wilson(0, 0)).toBeUndefined()
  expect(wilson(0, 10)).toMatchObject({ share: 0, low: 0 })
  expect(wilson(10, 10)).toMatchObject({ share: 1, high: 1 })
  // As in the tables of textbooks.
  expect(wilson(10, 10)?.low).toBeCloseTo(0.7225, 4)
  expect(wilson(81, 263)?.low).toBeCloseTo(0.2553, 4)
  expect(wilson(81, 263)?.high).toBeCloseTo(0.3662, 4)
})
