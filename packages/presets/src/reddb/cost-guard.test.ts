import { ConfigurationError } from '@stickler/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addSpend,
  type CostLimits,
  type CostUsage,
  type CostVerdict,
  type DaySpend,
  defaultCostLimits,
  freshDay,
  guardCost,
  readCostLimits,
} from './cost-guard.ts'

const dayMs = 86_400_000
const now = 20_000 * dayMs + 1
const today = (spentUsd: number): DaySpend => ({ spentUsd, day: 20_000 })
const idle: CostUsage = { promptTokens: 0, completionTokens: 0, sourcesBytes: 0, elapsedMs: 0 }
const capped: CostLimits = { ...defaultCostLimits, dailyCostUsd: 0.05 }

describe('readCostLimits', () => {
  test.each([
    [{}, defaultCostLimits],
    [{ promptTokens: undefined, dailyCostUsd: undefined }, defaultCostLimits],
    [
      { promptTokens: 0, dailyCostUsd: 0.5 },
      { ...defaultCostLimits, promptTokens: 0, dailyCostUsd: 0.5 },
    ],
  ])('%j', (limits, expected) => {
    expect(readCostLimits(limits)).toStrictEqual(expected)
  })

  test.each<[string, unknown, string]>([
    ['promptTokens', -1, 'limits.promptTokens: expected a whole number, 0 or more, got -1'],
    ['completionTokens', 1.5, 'limits.completionTokens: expected a whole number, 0 or more, got 1.5'],
    ['sourcesBytes', Number.NaN, 'limits.sourcesBytes: expected a whole number, 0 or more, got NaN'],
    ['timeMs', Number.POSITIVE_INFINITY, 'limits.timeMs: expected a whole number, 0 or more, got Infinity'],
    ['timeMs', 2 ** 53, 'limits.timeMs: expected a whole number, 0 or more, got 9007199254740992'],
    ['timeMs', '30', 'limits.timeMs: expected a whole number, 0 or more, got string'],
    ['promptTokens', null, 'limits.promptTokens: expected a whole number, 0 or more, got object'],
    ['dailyCostUsd', -0.01, 'limits.dailyCostUsd: expected a finite number of dollars, 0 or more, got -0.01'],
    ['dailyCostUsd', Number.POSITIVE_INFINITY, 'limits.dailyCostUsd: expected a finite number of dollars, 0 or more, got Infinity'],
    ['promptToken', 5, 'limits.promptToken: unknown cost limit "promptToken"; did you mean "promptTokens"?'],
  ])('%s cannot be %j', (name, value, message) => {
    const read = () => readCostLimits(Object.fromEntries([[name, value]]), ['limits'])
    expect(read).toThrow(ConfigurationError)
    expect(read).toThrow(message)
  })

  test('every problem is told', () => {
    expect(() => readCostLimits({ promptTokens: -1, timeMs: 0.5 })).toThrow(/^promptTokens: .*\ntimeMs: /)
  })
})

describe('guardCost', () => {
  const refused = (limit: string, status: number, detail: string) => ({ allowed: false, limit, status, detail })

  test.each<[string, Partial<CostUsage>, DaySpend, object]>([
    ['nothing', {}, today(0), { allowed: true }],
    [
      'all at the limit',
      { promptTokens: 8192, completionTokens: 1024, sourcesBytes: 262_144, elapsedMs: 30_000, costUsd: 0.05 },
      today(0),
      { allowed: true },
    ],
    ['prompt', { promptTokens: 9000 }, today(0), refused('max_prompt_tokens', 413, 'prompt 9000 tokens exceeds max_prompt_tokens=8192')],
    [
      'sources',
      { sourcesBytes: 262_145 },
      today(0),
      refused('max_sources_bytes', 413, 'sources payload 262145 bytes exceeds max_sources_bytes=262144'),
    ],
    [
      'completion',
      { completionTokens: 1025 },
      today(0),
      refused('max_completion_tokens', 413, 'completion 1025 tokens exceeds max_completion_tokens=1024'),
    ],
    ['time', { elapsedMs: 30_001 }, today(0), refused('timeout_ms', 504, 'elapsed 30001ms exceeds timeout_ms=30000')],
    [
      'cost',
      { costUsd: 0.1 },
      today(0),
      refused('daily_cost_cap_usd', 413, 'projected spend $0.100000 exceeds daily_cost_cap_usd=$0.050000'),
    ],
    [
      'cost on top',
      { costUsd: 0.02 },
      today(0.04),
      refused('daily_cost_cap_usd', 413, 'projected spend $0.060000 exceeds daily_cost_cap_usd=$0.050000'),
    ],
    [
      'spent already',
      {},
      today(0.06),
      refused('daily_cost_cap_usd', 413, 'projected spend $0.060000 exceeds daily_cost_cap_usd=$0.050000'),
    ],
    ['spent yesterday', {}, { spentUsd: 9, day: 19_999 }, { allowed: true }],
    [
      'spent tomorrow, by a clock that went back',
      {},
      { spentUsd: 9, day: 20_001 },
      refused('daily_cost_cap_usd', 413, 'projected spend $9.000000 exceeds daily_cost_cap_usd=$0.050000'),
    ],
    [
      'no number of tokens',
      { promptTokens: Number.NaN },
      today(0),
      refused('max_prompt_tokens', 413, 'prompt NaN tokens exceeds max_prompt_tokens=8192'),
    ],
    ['a cost that is none', { costUsd: Number.NaN }, today(0.05), { allowed: true }],
    [
      'a negative cost earns nothing',
      { costUsd: -1 },
      today(0.06),
      refused('daily_cost_cap_usd', 413, 'projected spend $0.060000 exceeds daily_cost_cap_usd=$0.050000'),
    ],
    [
      'a spend that is none',
      {},
      today(Number.NaN),
      refused('daily_cost_cap_usd', 413, 'projected spend $NaN exceeds daily_cost_cap_usd=$0.050000'),
    ],
  ])('%s', (_, usage, day, expected) => {
    expect(guardCost({ ...idle, ...usage }, day, capped, now)).toEqual(expected)
  })

  test('without a cap any cost is allowed', () => {
    expect(guardCost({ ...idle, costUsd: 1e9 }, today(1e9), defaultCostLimits, now)).toEqual({ allowed: true })
  })

  test('binary noise is not a cent too much', () => {
    const limits = { ...defaultCostLimits, dailyCostUsd: 0.3 }
    expect(guardCost({ ...idle, costUsd: 0.1 }, today(0.1 + 0.1), limits, now)).toEqual({ allowed: true })
    expect(guardCost({ ...idle, costUsd: 0.1 }, today(0.200001), limits, now)).toMatchObject({ limit: 'daily_cost_cap_usd' })
  })

  test('the order is fixed', () => {
    const order: [keyof CostUsage, string][] = [
      ['promptTokens', 'max_prompt_tokens'],
      ['sourcesBytes', 'max_sources_bytes'],
      ['completionTokens', 'max_completion_tokens'],
      ['elapsedMs', 'timeout_ms'],
      ['costUsd', 'daily_cost_cap_usd'],
    ]
    fc.assert(
      fc.property(fc.subarray(order), (exceeded) => {
        const usage = { ...idle, ...Object.fromEntries(exceeded.map(([name]) => [name, 1e9])) }
        const verdict: CostVerdict = guardCost(usage, today(0), capped, now)
        expect(verdict.allowed ? undefined : verdict.limit).toBe(exceeded[0]?.[1])
      }),
    )
  })
})

describe('addSpend', () => {
  test.each<[string, DaySpend, number | undefined, number, DaySpend]>([
    ['the same day', today(1), 0.5, now, today(1.5)],
    ['the last millisecond of a day', today(1), 0.5, 20_001 * dayMs - 1, today(1.5)],
    ['midnight', today(1), 0.5, 20_001 * dayMs, { spentUsd: 0.5, day: 20_001 }],
    ['a later day', today(1), 0.5, now + 7 * dayMs, { spentUsd: 0.5, day: 20_007 }],
    ['a clock that goes back over midnight', today(1), 0.5, now - dayMs, today(1.5)],
    ['no cost', today(1), undefined, now, today(1)],
    ['no cost on a later day', today(1), undefined, now + dayMs, { spentUsd: 0, day: 20_001 }],
    ['a negative cost', today(1), -5, now, today(1)],
    ['no number', today(1), Number.NaN, now, today(1)],
    ['a clock that is none', today(1), 0.5, Number.NaN, today(1.5)],
    ['before 1970', { spentUsd: 1, day: -1 }, 0.5, -1, { spentUsd: 1.5, day: -1 }],
  ])('%s', (_, day, cost, nowMs, expected) => {
    expect(addSpend(day, cost, nowMs)).toEqual(expected)
  })

  test('within a day, no clock ever lowers the spend', () => {
    const steps = fc.array(fc.tuple(fc.integer({ min: -3 * dayMs, max: dayMs - 2 }), fc.double({ min: 0, max: 1, noNaN: true })))
    fc.assert(
      fc.property(steps, (list) => {
        let day = freshDay(now)
        for (const [offset, cost] of list) {
          const next = addSpend(day, cost, now + offset)
          expect(next.day).toBe(day.day)
          expect(next.spentUsd).toBe(day.spentUsd + cost)
          day = next
        }
      }),
    )
  })
})
