import { ConfigurationError } from '@stickler/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CostUsage, capBreach, defaultCostLimits, guardCost, lateBreach, readCostLimits } from './cost-guard.ts'

const idle: CostUsage = { promptTokens: 0, completionTokens: 0, sourcesBytes: 0, elapsedMs: 0 }

describe('readCostLimits', () => {
  test.each([
    [{}, defaultCostLimits],
    [
      { promptTokens: 0, dailyCostUsd: 0.5 },
      { ...defaultCostLimits, promptTokens: 0, dailyCostUsd: 0.5 },
    ],
  ])('%j', (limits, expected) => {
    expect(readCostLimits(limits)).toStrictEqual(expected)
  })

  test.each<[string, unknown, string]>([
    ['promptTokens', -1, 'limits.promptTokens: expected a number, 0 or more'],
    ['sourcesBytes', Number.NaN, 'limits.sourcesBytes: expected a number, 0 or more'],
    ['dailyCostUsd', -0.01, 'limits.dailyCostUsd: expected a number, 0 or more'],
    ['promptToken', 5, 'limits.promptToken: unknown cost limit "promptToken"; did you mean "promptTokens"?'],
  ])('%s cannot be %j', (name, value, message) => {
    const read = () => readCostLimits(Object.fromEntries([[name, value]]), ['limits'])
    expect(read).toThrow(ConfigurationError)
    expect(read).toThrow(message)
  })
})

describe('guardCost', () => {
  const breach = (limit: string, status: number, detail: string) => ({ limit, status, detail })

  test.each<[string, Partial<CostUsage>, object | undefined]>([
    ['nothing', {}, undefined],
    ['all at the limit', { promptTokens: 8192, completionTokens: 1024, sourcesBytes: 262_144, elapsedMs: 30_000 }, undefined],
    ['prompt', { promptTokens: 9000 }, breach('max_prompt_tokens', 413, 'prompt 9000 tokens exceeds max_prompt_tokens=8192')],
    [
      'sources',
      { sourcesBytes: 262_145 },
      breach('max_sources_bytes', 413, 'sources payload 262145 bytes exceeds max_sources_bytes=262144'),
    ],
    [
      'completion',
      { completionTokens: 1025 },
      breach('max_completion_tokens', 413, 'completion 1025 tokens exceeds max_completion_tokens=1024'),
    ],
    ['time', { elapsedMs: 30_001 }, breach('timeout_ms', 504, 'elapsed 30001ms exceeds timeout_ms=30000')],
    [
      'no number of tokens',
      { promptTokens: Number.NaN },
      breach('max_prompt_tokens', 413, 'prompt NaN tokens exceeds max_prompt_tokens=8192'),
    ],
  ])('%s', (_, usage, expected) => {
    expect(guardCost({ ...idle, ...usage }, defaultCostLimits)).toEqual(expected)
  })

  test('the order is fixed', () => {
    const order: [keyof CostUsage, string][] = [
      ['promptTokens', 'max_prompt_tokens'],
      ['sourcesBytes', 'max_sources_bytes'],
      ['completionTokens', 'max_completion_tokens'],
      ['elapsedMs', 'timeout_ms'],
    ]
    fc.assert(
      fc.property(fc.subarray(order), (exceeded) => {
        const usage = { ...idle, ...Object.fromEntries(exceeded.map(([name]) => [name, 1e9])) }
        expect(guardCost(usage, defaultCostLimits)?.limit).toBe(exceeded[0]?.[1])
      }),
    )
  })
})

test('what is late or above the cap says by how much', () => {
  expect(lateBreach(defaultCostLimits, 29_999).detail).toBe('elapsed 30001ms exceeds timeout_ms=30000')
  expect(capBreach(0.06, 0.05)).toEqual({
    limit: 'daily_cost_cap_usd',
    status: 413,
    detail: 'projected spend $0.060000 exceeds daily_cost_cap_usd=$0.050000',
  })
})
