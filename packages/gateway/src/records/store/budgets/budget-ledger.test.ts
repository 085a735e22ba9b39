import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { testEngines } from '../../../testing/store-engines.ts'
import { storeHarness } from '../../../testing/store-harness.ts'
import type { Hold } from './budget-ledger.ts'

const amount = (tokens: number) => ({ tokens, nanoUsd: tokens * 3 })
const limits = amount(1000)

const keys = Array.from({ length: 8 }, (_, index) => `key${index}`)

describe.each(testEngines())('$name', (engine) => {
  const harness = storeHarness(engine)
  const hold = (id: string, tokens: number, more: Partial<Hold> = {}): Hold => {
    return { id, key: 'a', day: 1, most: amount(tokens), atRisk: amount(Math.floor(tokens / 2)), madeAt: 0, expiresAt: 1000, ...more }
  }

  test('takes what fits, and tells what the day looks like where it does not', async () => {
    const { budgets } = harness.store
    expect(await budgets.hold(hold('1', 600), limits)).toBeUndefined()
    expect(await budgets.hold(hold('2', 401), limits)).toEqual({ spent: amount(0), held: amount(600) })
    expect(await budgets.hold(hold('3', 400), limits)).toBeUndefined()
    await budgets.settle('1', amount(100))
    expect(await budgets.hold(hold('4', 501), limits)).toEqual({ spent: amount(100), held: amount(400) })
    // Other keys and other days have their own; money alone may be too much.
    expect(await budgets.hold(hold('5', 1000, { key: 'b' }), limits)).toBeUndefined()
    expect(await budgets.hold(hold('6', 1000, { day: 2 }), limits)).toBeUndefined()
    expect(await budgets.hold(hold('7', 10, { key: 'c', most: { tokens: 10, nanoUsd: 3001 } }), limits)).toBeDefined()
  })

  test('a name with odd characters is a name', async () => {
    const { budgets } = harness.store
    expect(await budgets.hold(hold("'; drop table runs; --\0", 10, { key: 'a\0"b' }), limits)).toBeUndefined()
    expect(await budgets.hold(hold('x', 1000, { key: 'a\0"b' }), limits)).toMatchObject({ held: amount(10) })
  })

  test('two stores at once never set aside or count more than there is, and lose nothing', async () => {
    const other = await harness.open()
    let run = 0
    const step = fc.record({
      tokens: fc.integer({ min: 1, max: 400 }),
      /** What is used of it, or nothing when its gateway dies. */
      used: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
      isOther: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 30 }), async (steps) => {
        const key = `key${++run}`
        let expected = 0
        let lost = 0
        await Promise.all(
          steps.map(async ({ tokens, used, isOther }, index) => {
            const { budgets } = isOther ? other : harness.store
            const id = `${key}-${index}`
            const state = await budgets.hold(hold(id, tokens, { key }), limits)
            if (state !== undefined) {
              expect(state.spent.tokens + state.held.tokens + tokens).toBeGreaterThan(1000)
              return
            }
            if (used === null) {
              expected += Math.floor(tokens / 2)
              lost++
              return
            }
            const spent = Math.floor(tokens * used)
            expected += spent
            await budgets.settle(id, amount(spent))
            // Again, as after an acknowledgement that was lost.
            await budgets.settle(id, amount(spent))
          }),
        )
        expect(expected).toBeLessThanOrEqual(1000)
        expect(await other.budgets.reclaim(key, 999)).toBe(false)
        expect(await other.budgets.reclaim(key, 1000)).toBe(lost > 0)
        expect(await other.budgets.reclaim(key, 1000)).toBe(false)
        expect(await harness.store.budgets.hold(hold(`${key}-last`, 1001, { key }), limits)).toEqual({
          spent: amount(expected),
          held: amount(0),
        })
      }),
      { numRuns: 15 },
    )
    await other.close()
  })
  test('two stores that serve several keys in different order do not lock each other out', async () => {
    const other = await harness.open()
    const many = Array.from({ length: 20 }, (_, round) => keys.map((key) => ({ key, id: `${key}-${round}` }))).flat()
    const serve = async ({ budgets }: Pick<typeof other, 'budgets'>, asked: typeof many, prefix: string) => {
      await Promise.all(
        asked.map(async ({ key, id }) => {
          expect(await budgets.hold(hold(prefix + id, 2, { key }), {})).toBeUndefined()
          await budgets.risk(prefix + id, amount(2))
          await budgets.settle(prefix + id, amount(1))
          await budgets.reclaim(key, 500)
        }),
      )
    }
    await Promise.all([serve(harness.store, many, 'a'), serve(other, many.toReversed(), 'b')])
    for (const key of keys)
      expect(await harness.store.budgets.hold(hold(`${key}-last`, 1001, { key }), limits)).toEqual({ spent: amount(40), held: amount(0) })
    await other.close()
  })
  test.each([undefined, 1, 30])('days that are long over are deleted, whatever is kept of runs: %s days', async (retentionDays) => {
    const { budgets } = harness.store
    const store = await harness.open({ retentionDays: retentionDays as never })
    await budgets.hold(hold('1', 600), limits)
    const left = async () => (await budgets.hold(hold('x', 1001), limits))?.held.tokens
    harness.now = 2 * 86_400_000
    await store.purge()
    expect(await left()).toBe(600)
    harness.now = 40 * 86_400_000
    await store.purge()
    expect(await left()).toBe(0)
    await store.close()
  })
})
