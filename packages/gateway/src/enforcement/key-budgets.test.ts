import { expect, test } from 'vitest'
import type { DaySpend, SpendLedger } from '../store/ask/spend.ts'
import { KeyBudgets, type KeyLimits } from './key-budgets.ts'

const day = 86_400_000

function memoryLedger(): SpendLedger & { readonly entries: Map<string, DaySpend> } {
  const entries = new Map<string, DaySpend>()
  return {
    entries,
    read: async (tenant) => entries.get(tenant) ?? { spentUsd: 0, day: 0 },
    async add(tenant, usd, at) {
      const before = entries.get(tenant)
      const next = { spentUsd: (before?.day === at ? before.spentUsd : 0) + usd, day: at }
      entries.set(tenant, next)
      return next
    },
  }
}

function budgets(limits: KeyLimits, ledger = memoryLedger()) {
  let now = 100 * day
  const kept = new KeyBudgets(
    ledger,
    () => limits,
    () => now,
  )
  return {
    ledger,
    spend: kept.spend.bind(kept),
    forward: (ms: number) => {
      now += ms
    },
    admitted: (key = 'a') =>
      Promise.resolve(kept.admit(key)).then(
        () => 'in',
        (error: Error & { details: { headers: Record<string, string> } }) => `${error.message} ${error.details.headers['retry-after']}`,
      ),
  }
}

test('without limits everybody is let in', async () => {
  const { admitted, spend } = budgets({})
  spend('a', { promptTokens: 1e9, completionTokens: 1e9, cost: 1e9 })
  expect(await admitted()).toBe('in')
})

test('requests count per minute and key, and a clock that goes back gives none back', async () => {
  const { admitted, forward } = budgets({ requestsPerMinute: 2 })
  forward(15_000)
  expect([await admitted(), await admitted(), await admitted('b')]).toEqual(['in', 'in', 'in'])
  expect(await admitted()).toBe('This key may send 2 requests per minute. 45')
  forward(-20_000)
  expect(await admitted()).toMatch(/per minute/)
  forward(65_000)
  expect(await admitted()).toBe('in')
})

test('tokens and money count per day, also what other gateways and earlier processes have spent', async () => {
  const { admitted, spend, forward, ledger } = budgets({ tokensPerDay: 100, usdPerDay: 1 })
  expect(await admitted()).toBe('in')
  spend('a', { promptTokens: 60, completionTokens: 40 })
  expect(await admitted()).toBe(`This key has used its 100 tokens of today. ${day / 1000}`)
  const later = budgets({ tokensPerDay: 100, usdPerDay: 1 }, ledger)
  expect(await later.admitted()).toMatch(/100 tokens/)
  spend('b', { promptTokens: 1, completionTokens: 1, cost: 1 })
  expect(await admitted('b')).toMatch(/\$1 of today/)
  forward(day)
  expect([await admitted('a'), await admitted('b')]).toEqual(['in', 'in'])
})

test('a ledger that fails neither lets everything in nor keeps everybody out', async () => {
  const broken: SpendLedger = { read: () => Promise.reject(new Error('down')), add: () => Promise.reject(new Error('down')) }
  const { admitted, spend } = budgets({ usdPerDay: 1 }, broken as ReturnType<typeof memoryLedger>)
  expect(await admitted()).toBe('in')
  spend('a', { promptTokens: 1, completionTokens: 1, cost: 2 })
  expect(await admitted()).toMatch(/of today/)
})
