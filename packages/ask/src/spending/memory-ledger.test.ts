import { describe, expect, test } from 'vitest'
import type { SpendLedger } from '../ports.ts'
import { memoryLedger, reservingLedger } from './memory-ledger.ts'

const tick = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))
const priced = (usd: number) => ({ leastUsd: usd, mostUsd: usd })

/** A ledger whose calls wait until they are let through. */
function slowLedger() {
  const memory = memoryLedger()
  const waiting: (() => void)[] = []
  const gate = (): Promise<void> => new Promise((resolve) => waiting.push(resolve))
  const slow = { read: false, add: false }
  const ledger: SpendLedger = {
    async read(tenant, nowMs) {
      const day = await memory.read(tenant, nowMs)
      if (slow.read) await gate()
      return day
    },
    async add(tenant, costUsd, nowMs) {
      if (slow.add) await gate()
      await memory.add(tenant, costUsd, nowMs)
    },
  }
  const reserved = new Map<string, number>()
  return {
    memory,
    slow,
    reserved,
    shared: reservingLedger(ledger, () => 0, reserved),
    open: () => {
      for (const go of waiting.splice(0)) go()
    },
  }
}

describe('reservations beside a ledger that only counts', () => {
  test('calls that are held at once stay within the cap together', async () => {
    const { shared, reserved, slow, open } = slowLedger()
    slow.read = true
    const holding = Array.from({ length: 50 }, () => shared.hold('t', priced(0.1), 1, 0))
    await tick()
    open()
    const held = (await Promise.all(holding)).filter((one) => 'settle' in one)
    expect(held).toHaveLength(10)
    expect(reserved.get('t')).toBeCloseTo(1, 9)
  })

  test('what a call has cost is reserved until it is counted', async () => {
    const { shared, slow, open } = slowLedger()
    const first = await shared.hold('t', priced(0.9), 1, 0)
    slow.add = true
    const settling = 'settle' in first && first.settle(0.9)
    await tick()
    expect(await shared.hold('t', priced(0.5), 1, 0)).toMatchObject({ spentUsd: 0.9 })
    open()
    await settling
    expect(await shared.hold('t', priced(0.5), 1, 0)).toMatchObject({ spentUsd: 0.9 })
    expect(await shared.hold('t', priced(0.1), 1, 0)).toHaveProperty('settle')
  })

  test('a call that is settled while another one reads the day is not missed', async () => {
    const { shared, slow, open } = slowLedger()
    const first = await shared.hold('t', priced(0.9), 1, 0)
    slow.read = true
    const second = shared.hold('t', priced(0.5), 1, 0)
    await tick()
    if ('settle' in first) await first.settle(0.9)
    open()
    expect(await second).toMatchObject({ spentUsd: 0.9 })
  })

  test('nothing stays reserved for a refusal, a failure or the noise of sums', async () => {
    const { shared, reserved, memory } = slowLedger()
    expect(await shared.hold('t', priced(2), 1, 0)).not.toHaveProperty('settle')
    expect(reserved.size).toBe(0)
    for (const name of ['read', 'add'] as const) {
      const failing = { ...memory, [name]: () => Promise.reject(new Error('disk')) }
      const broken = reservingLedger(failing, () => 0, reserved)
      const call = broken.hold('t', priced(0.1), 1, 0).then((held) => ('settle' in held ? held.settle(0.1) : undefined))
      await expect(call).rejects.toThrow('disk')
      expect(reserved.size, name).toBe(0)
    }
    const holds = await Promise.all([0.1, 0.2, 0.3].map((usd) => shared.hold('t', priced(usd), 1, 0)))
    for (const one of holds) if ('settle' in one) await one.settle(0)
    expect(reserved.size).toBe(0)
  })
})
