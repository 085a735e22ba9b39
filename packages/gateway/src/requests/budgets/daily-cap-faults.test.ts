import type { Usage } from '@stickler/core'
import { systemClock } from '@stickler/core/internal'
import { describe, expect, test } from 'vitest'
import { testEngines } from '../../testing/store-engines.ts'
import { storeHarness } from '../../testing/store-harness.ts'
import { type CallCost, KeyBudgets, type SettleCall } from './key-budgets.ts'

const day = 86_400_000
const now = 20_000 * day + 1000

describe.each(testEngines())('$name', (engine) => {
  const harness = storeHarness(engine)
  let last = 0
  const over = ({ budgets: ledger }: typeof harness.store) => ({
    hold: (tenant: string, call: CallCost, capUsd: number, at: number) =>
      new KeyBudgets({
        ledger,
        clock: systemClock,
        today: () => at,
        newId: () => `hold-${++last}`,
        limits: () => ({}),
        deadlineMs: () => 1000,
      }).holdCall(`ask:${tenant}`, call, capUsd),
  })
  const costing = (cost: number): Usage => ({ promptTokens: 0, completionTokens: 0, cost })
  const isHeld = (one: SettleCall | number): one is SettleCall => typeof one === 'function'

  test('four gateways on one store never spend more than one cap', async () => {
    const stores = [harness.store, await harness.open(), await harness.open(), await harness.open()]
    let spent = 0
    const call = async (at: number): Promise<void> => {
      const held = await over(stores[at % 4] as typeof harness.store).hold('team', { leastUsd: 0.001, mostUsd: 0.005 }, 0.02, now)
      if (!isHeld(held)) return
      spent += 0.005
      await new Promise((resolve) => setTimeout(resolve, 5))
      await held(costing(0.005))
    }
    await Promise.all(Array.from({ length: 24 }, (_, at) => call(at)))
    expect(spent).toBeCloseTo(0.02, 9)
    const refused = await over(harness.store).hold('team', { leastUsd: 0.001, mostUsd: 0.005 }, 0.02, now)
    expect(refused).toBe(0.02)
    // Other tenants, and other days have nothing to do with it.
    for (const [tenant, cap, at] of [
      ['other', 0.02, now],
      ['team', 0.02, now + day],
    ] as const)
      expect(isHeld(await over(harness.store).hold(tenant, { leastUsd: 0.001, mostUsd: 0.005 }, cap, at))).toBe(true)
    await Promise.all(stores.slice(1).map((store) => store.close()))
  })

  test.each([0.005, 0.01])(
    'where prompts cost nothing, $%d at most for each call, nobody begins without something left',
    async (mostUsd) => {
      let calls = 0
      const tenant = `free-${mostUsd}`
      const call = async (): Promise<void> => {
        const held = await over(harness.store).hold(tenant, { leastUsd: 0, mostUsd }, 0.02, now)
        if (!isHeld(held)) return
        calls++
        await new Promise((resolve) => setTimeout(resolve, 5))
        await held(costing(0.005))
      }
      for (let round = 0; round < 4; round++) await Promise.all(Array.from({ length: 28 }, call))
      expect(calls).toBe(4)
      expect(await over(harness.store).hold(tenant, { leastUsd: 0, mostUsd: 0 }, 0.02, now)).toBe(0.02)
      expect(isHeld(await over(harness.store).hold(`${tenant}-none`, { leastUsd: 0, mostUsd: 0 }, 0.02, now))).toBe(true)
      expect(isHeld(await over(harness.store).hold(`${tenant}-none`, { leastUsd: 0, mostUsd: 0 }, 0, now))).toBe(false)
    },
  )

  test('alone, a call may begin with what is left, and then no other one', async () => {
    const first = over(harness.store)
    const call = { leastUsd: 0.001, mostUsd: 0.03 }
    const alone = await first.hold('small', call, 0.02, now)
    expect(isHeld(alone)).toBe(true)
    expect(await first.hold('small', call, 0.02, now)).toBe(0.02)
    if (isHeld(alone)) await alone(costing(0.0195))
    expect(await first.hold('small', call, 0.02, now)).toBe(0.0195)
    expect(isHeld(await first.hold('small', { leastUsd: 0.0005, mostUsd: 0.03 }, 0.02, now))).toBe(true)
  })

  test('what a gateway that died has set aside counts after its deadline, once, as spent', async () => {
    const call = { leastUsd: 0.001, mostUsd: 0.015 }
    const lost = await over(harness.store).hold('dead', call, 0.02, now)
    expect(isHeld(lost)).toBe(true)
    const next = over(harness.store)
    expect(await next.hold('dead', call, 0.02, now + 500)).toBe(0.015)
    // After that, what is left is 0.005, for a call that runs alone.
    const after = await next.hold('dead', call, 0.02, now + 7000)
    expect(isHeld(after)).toBe(true)
    if (isHeld(after)) await after(costing(0.002))
    if (isHeld(lost)) await lost(costing(0.001))
    expect(await next.hold('dead', { leastUsd: 0.018, mostUsd: 0.018 }, 0.02, now + 7000)).toBe(0.003)
  })

  test('a call over midnight counts for the day it began', async () => {
    const budgets = over(harness.store)
    const late = await budgets.hold('owl', { leastUsd: 0.01, mostUsd: 0.02 }, 0.02, now + day - 2000)
    expect(isHeld(await budgets.hold('owl', { leastUsd: 0.01, mostUsd: 0.02 }, 0.02, now + day))).toBe(true)
    if (isHeld(late)) await late(costing(0.02))
    expect(await budgets.hold('owl', { leastUsd: 0.01, mostUsd: 0.02 }, 0.02, now + day - 1500)).toBe(0.02)
  })
})
