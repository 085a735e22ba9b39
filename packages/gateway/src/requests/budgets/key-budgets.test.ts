import type { HttpError } from '@stickler/core/internal/apis'
import { manualClock } from '@stickler/core/testing'
import { expect, onTestFinished, test } from 'vitest'
import type { KeyLimits } from '../../config/resolved/gateway-config.ts'
import type { BudgetLedger } from '../../records/store/budgets/budget-ledger.ts'
import { openStore } from '../../records/store/open-store.ts'
import { StoreUnavailable } from '../../records/store/store-unavailable.ts'
import type { CostBound } from './cost-bound.ts'
import { KeyBudgets } from './key-budgets.ts'

const day = 86_400_000
const price = { promptPerMillion: 1e6, completionPerMillion: 1e6 }

async function budgets(limits: KeyLimits, broken: { hold?: BudgetLedger['hold']; settle?: BudgetLedger['settle'] | undefined } = {}) {
  let now = 100 * day + 1000
  const store = await openStore({ url: 'sqlite::memory:', folder: '.', keepText: false, now: () => now })
  onTestFinished(() => store.close())
  const clock = manualClock()
  let made = 0
  const another = () =>
    new KeyBudgets({
      ledger: {
        ...store.budgets,
        hold: (...asked) => (broken.hold ?? store.budgets.hold)(...asked),
        settle: (...asked) => (broken.settle ?? store.budgets.settle)(...asked),
      },
      clock,
      today: () => now,
      newId: () => `r${++made}`,
      limits: () => limits,
      deadlineMs: () => 60_000,
    })
  const kept = another()
  const admit = async (completion: number | undefined, { key = 'a', budget = kept, retries = 0 } = {}) => {
    const tokens = (limit: number, prompt = 10): CostBound => ({
      first: { prompt, completion: limit },
      again: { prompt: prompt + 10, completion: limit },
      retries,
      shrinks: { limit, to: (other, kept) => tokens(other, kept === 'same' ? 10 : 0) },
    })
    return await budget.admit(key, (open) => ({ tokens: tokens(completion ?? open), price }))
  }
  const refused = (...asked: Parameters<typeof admit>) =>
    admit(...asked).then(
      () => 'in',
      (error: HttpError) => `${error.status} ${error.details.code} ${error.details.headers?.['retry-after']}`,
    )
  return {
    another,
    clock,
    admit,
    refused,
    store,
    jump(ms: number) {
      now += ms
    },
  }
}

test('without limits everybody is let in, and nothing is written', async () => {
  const { admit, store } = await budgets({})
  expect(await admit(1e9)).toBeUndefined()
  expect(await store.budgets.hold({ ...hold, most: { tokens: 1, nanoUsd: 0 } }, { tokens: 1 })).toBeUndefined()
})

const hold = { id: 'x', key: 'a', day: 100, atRisk: { tokens: 0, nanoUsd: 0 }, madeAt: 100 * day, expiresAt: 101 * day }

test('requests count per minute and key, on a clock that no date changes', async () => {
  const { refused, clock, jump } = await budgets({ requestsPerMinute: 2 })
  expect([await refused(1), await refused(1), await refused(1, { key: 'b' })]).toEqual(['in', 'in', 'in'])
  expect(await refused(1)).toBe('429 budget_exceeded 60')
  // Hours forward give nothing, and hours back lock nobody out.
  jump(5 * 3_600_000)
  expect(await refused(1)).toBe('429 budget_exceeded 60')
  jump(-50 * 3_600_000)
  await clock.advanceAsync(60_000)
  expect(await refused(1)).toBe('in')
})

test('what a request can cost is set aside before it, and what it used is counted after it', async () => {
  const { admit, refused } = await budgets({ tokensPerDay: 100 })
  const first = await admit(40)
  // 50 are set aside and 50 are left.
  expect(await refused(41)).toBe('429 budget_reserved 1')
  const second = await admit(40)
  expect(await refused(1)).toBe('429 budget_reserved 1')
  await first?.settle({ promptTokens: 5, completionTokens: 5 })
  await first?.settle({ promptTokens: 50, completionTokens: 50 })
  expect(await refused(30)).toBe('in')
  await second?.settle({ promptTokens: 10, completionTokens: 40 })
  expect(await refused(60)).toBe('429 budget_exceeded 86399')
})

test('a request that no day covers is told so, and calls nothing', async () => {
  const { refused } = await budgets({ tokensPerDay: 100, usdPerDay: 50 })
  expect(await refused(91)).toBe('429 insufficient_quota undefined')
  // By its price: $1 for each token.
  expect(await refused(41)).toBe('429 insufficient_quota undefined')
  expect(await refused(40)).toBe('in')
  expect(await refused(8, { retries: 2 })).toBe('429 insufficient_quota undefined')
})

test('a refusal says what would fit', async () => {
  const { admit } = await budgets({ tokensPerDay: 100 })
  const words = (...asked: Parameters<typeof admit>) => admit(...asked).then(String, (error: HttpError) => error.message)
  expect(await words(91)).toBe(
    'This request can use up to 101 tokens, and this key has 100 tokens a day: it can never fit. It fits with a max_tokens of at most 90.',
  )
  expect(await words(undefined, { retries: 2 })).toMatch(
    /^This request can use up to 12338 tokens with its 2 retries, and .* a max_tokens of at most 16\.$/,
  )
  expect(await words(16, { retries: 2 })).toBe('[object Object]')
  expect(await words(1, { key: 'b', retries: 5 })).toContain('Send a shorter prompt: with max_tokens 1 this one still needs 116 tokens.')
  expect(await words(1, { key: 'c', retries: 10 })).toContain(
    'The shortest request needs 111 tokens: the operator of the gateway must raise the budget.',
  )
  await (await admit(90, { key: 'd' }))?.settle({ promptTokens: 10, completionTokens: 70 })
  expect(await words(50, { key: 'd' })).toContain(
    "20 tokens of this key's 100 tokens a day are left. It fits with a max_tokens of at most 10.",
  )
  expect(await words(1, { key: 'd', retries: 2 })).toContain('wait until tomorrow')
})

test('dollars are added without noise', async () => {
  const { admit, refused } = await budgets({ usdPerDay: 41.3 })
  for (let count = 0; count < 3; count++) await (await admit(1))?.settle({ promptTokens: 1, completionTokens: 1, cost: 10.1 })
  expect(await refused(2)).toBe('429 budget_exceeded 86399')
  // Exactly $11 are left.
  await (await admit(1))?.settle({ promptTokens: 1, completionTokens: 1, cost: 11 })
  expect(await refused(1)).toBe('429 budget_exceeded 86399')
})

test('a request without a limit reserves what naming the assumed limit would', async () => {
  for (const tokensPerDay of [4105, 4106, 8211, 8212]) {
    const [open, named] = await Promise.all([budgets({ tokensPerDay }), budgets({ tokensPerDay })])
    for (let count = 0; count < 3; count++) expect(await open.refused(undefined)).toBe(await named.refused(4096))
  }
  const set = await budgets({ tokensPerDay: 100, completionTokens: 60 })
  expect([await set.refused(undefined), await set.refused(undefined)]).toEqual(['in', '429 budget_reserved 1'])
})

test('each day of the calendar has one budget, whatever way the clock comes to it', async () => {
  const { admit, refused, jump } = await budgets({ tokensPerDay: 100 })
  await (await admit(90))?.settle({ promptTokens: 10, completionTokens: 90 })
  expect(await refused(1)).toMatch('budget_exceeded')
  jump(30 * day)
  await (await admit(90))?.settle({ promptTokens: 10, completionTokens: 90 })
  // Back again: that day is used up, the next one is not, and the one far ahead locks nobody out.
  jump(-30 * day)
  expect(await refused(1)).toMatch('budget_exceeded')
  jump(day)
  expect(await refused(1)).toBe('in')
})

test('what a dead gateway has set aside comes back when its time is over, except what its calls can have cost', async () => {
  const { another, admit, refused, jump } = await budgets({ tokensPerDay: 100 })
  const dead = another()
  await admit(20, { budget: dead, retries: 1 })
  expect(await refused(30)).toBe('429 budget_reserved 1')
  jump(65_001)
  // 30 of 70 were at risk.
  expect(await refused(60)).toBe('in')
  expect(await refused(1)).toBe('429 budget_reserved 1')
})

test('who settles after all is believed, and a clock that jumps lets nothing through twice', async () => {
  for (const ms of [3 * 3_600_000, -3 * 3_600_000]) {
    const { admit, refused, jump } = await budgets({ tokensPerDay: 100 })
    jump(12 * 3_600_000)
    const slow = await admit(50)
    jump(ms)
    expect(await refused(50)).toMatch(/budget/)
    await slow?.settle({ promptTokens: 10, completionTokens: 5 })
    expect(await refused(76)).toMatch('budget_exceeded')
    expect(await refused(75)).toBe('in')
  }
})

test('a retry puts more at risk', async () => {
  const { another, admit, refused, jump, store } = await budgets({ tokensPerDay: 100 })
  const asking = await admit(20, { budget: another(), retries: 1 })
  asking?.again()
  // Tasks of a store are done in their order, so whatever comes later waits for it.
  await store.budgets.reclaim('other', 0)
  jump(65_001)
  expect(await refused(21)).toMatch('budget_exceeded')
  expect(await refused(20)).toBe('in')
})

test('without its store a key with a budget gets nothing; what could not be settled is settled later', async () => {
  const down = () => Promise.reject(new StoreUnavailable('database', 'gone'))
  const { refused } = await budgets({ tokensPerDay: 100 }, { hold: down })
  expect(await refused(1)).toBe('503 budget_unavailable 2')

  const faults: { settle?: BudgetLedger['settle'] | undefined } = { settle: down }
  const { admit, refused: later, clock } = await budgets({ tokensPerDay: 100 }, faults)
  const asked = await admit(90)
  await asked?.settle({ promptTokens: 1, completionTokens: 0 })
  await clock.advanceAsync(5000)
  expect(await later(1)).toMatch('budget_reserved')
  faults.settle = undefined
  await clock.advanceAsync(1000)
  await expect.poll(() => later(80)).toBe('in')
})

test.each([
  ['tokens beyond all reason', { promptTokens: 2 ** 50, completionTokens: 1 }],
  ['money beyond all reason', { promptTokens: 1, completionTokens: 1, cost: 1e300 }],
])('%s count as what was set aside, so that they lock no key', async (_, told) => {
  const { admit, refused } = await budgets({ tokensPerDay: 250, usdPerDay: 250 })
  await (await admit(90))?.settle(told)
  expect(await refused(90)).toBe('in')
  expect(await refused(90)).toContain('429')
})

test('more than was set aside counts as it was told', async () => {
  const { admit, refused } = await budgets({ tokensPerDay: 250 })
  await (await admit(90))?.settle({ promptTokens: 10, completionTokens: 900 })
  expect(await refused(1)).toContain('429 budget_exceeded')
})
