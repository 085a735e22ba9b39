import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { emptyBucket } from '../../../records/store/queries/stats-bucket.ts'
import { createGrouping } from './create-grouping.ts'

const { bars, kindOf, merge, statuses, totals } = createGrouping()
const bucket = (at: number, counted: Record<string, number>) => ({
  ...emptyBucket(at),
  statuses: counted,
  runs: Object.values(counted).reduce((sum, runs) => sum + runs, 0),
})

describe('totals', () => {
  it('of nothing are zeros for every status', () => {
    expect(totals({ buckets: [] })).toMatchObject({ runs: 0, cost: 0, statuses: statuses.map((status) => [status, 0]) })
  })

  it('add up, and keep a status that nobody knows', () => {
    const buckets = [
      { ...bucket(0, { valid: 2, '<b>': 1 }), retries: 1, cost: 0.5 },
      emptyBucket(1),
      { ...bucket(2, { valid: 1 }), repairs: 4 },
    ]
    const summed = totals({ buckets })
    expect(summed).toMatchObject({ runs: 4, retries: 1, repairs: 4, cost: 0.5 })
    expect(Object.fromEntries(summed.statuses)).toMatchObject({ valid: 3, '<b>': 1, failed: 0 })
  })
})

describe('bars', () => {
  it('are stacked in the order of the statuses, the highest being as high as the box', () => {
    const [first, empty, last] = bars(
      { buckets: [bucket(0, { odd: 1, failed: 1, valid: 2 }), emptyBucket(5), bucket(9, { repaired: 1 })] },
      40,
    )
    expect(first).toEqual({
      x: 0,
      at: 0,
      runs: 4,
      parts: [
        { kind: 'valid', y: 20, height: 20 },
        { kind: 'failed', y: 10, height: 10 },
        { kind: 'other', y: 0, height: 10 },
      ],
    })
    expect(empty?.parts).toEqual([])
    expect(last?.parts).toEqual([{ kind: 'repaired', y: 30, height: 10 }])
  })

  it.each(['', 'valid x', '__proto__', 'constructor', '"><script>'])('the class of %j is a word of ours', (status) => {
    expect(kindOf(status)).toBe('other')
  })
})

describe('merge', () => {
  it('keeps each run once, as it was told last, the newest first', () => {
    const known = [
      { id: 'b', at: 2, status: 'old' },
      { id: 'a', at: 1, status: 'old' },
    ]
    const fresh = [
      { id: 'c', at: 2, status: 'new' },
      { id: 'b', at: 2, status: 'new' },
    ]
    expect(merge(known, fresh, 10).map(({ id, status }) => id + status)).toEqual(['cnew', 'bnew', 'aold'])
    expect(merge(known, fresh, 2).map(({ id }) => id)).toEqual(['c', 'b'])
  })

  it('does not depend on the order in which runs come', () => {
    const run = fc.record({ id: fc.string({ maxLength: 2 }), at: fc.nat(3) })
    fc.assert(
      fc.property(fc.uniqueArray(run, { selector: ({ id }) => id }), fc.nat(20), (runs, cut) => {
        expect(merge(runs.slice(0, cut), runs.slice(cut), 8)).toEqual(merge([], [...runs].reverse(), 8))
      }),
    )
  })
})
