import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contract } from '../../catalogue.ts'
import type { Issue } from '../../contract/issue.ts'
import type { PolicyInput } from '../../contract/policy.ts'
import type { Report } from '../check/report.ts'
import { decide, type Situation } from './decide.ts'

const error: Issue = { code: 'X', severity: 'error', validator: 'v', message: 'm' }
const warning: Issue = { ...error, severity: 'warning' }
const truncated: Issue = { ...error, code: 'TRUNCATED' }
const lost = { validator: 'w', cause: 'crash' as const, message: 'm' }

const report = (issues: Issue[], more: Partial<Report> = {}): Report => ({ issues, unchecked: [], facts: {}, repairable: false, ...more })
const first: Situation = { attempt: 1, repairTried: false }

describe('decide', () => {
  test.each<[string, Report, PolicyInput, Situation, string]>([
    ['clean', report([]), {}, first, 'deliver clean'],
    ['warnings ride along', report([warning]), {}, first, 'deliver clean'],
    ['unknown is not valid', report([], { unchecked: [lost] }), {}, first, 'give-up unchecked'],
    ['unknown may be delivered', report([], { unchecked: [lost] }), { unchecked: 'deliver' }, first, 'deliver unchecked'],
    ['unknown is not invalid: lenient', report([], { unchecked: [lost] }), { mode: 'lenient' }, first, 'deliver unchecked'],
    ['unknown is not invalid: shadow', report([], { unchecked: [lost] }), { mode: 'shadow' }, first, 'deliver unchecked'],
    ['errors cost a retry', report([error]), {}, first, 'retry errors'],
    ['a repair comes first', report([error], { repairable: true }), {}, first, 'repair repairable'],
    ['a repair comes last', report([error], { repairable: true }), { repair: 'last' }, first, 'retry errors'],
    [
      'a repair after the last retry',
      report([error], { repairable: true }),
      { repair: 'last' },
      { attempt: 3, repairTried: false },
      'repair repairable',
    ],
    ['a repair never', report([error], { repairable: true }), { repair: 'never', retries: 0 }, first, 'give-up no-retries-left'],
    ['a repair only once', report([error], { repairable: true }), {}, { attempt: 1, repairTried: true }, 'retry errors'],
    ['what was cut off is not repaired', report([error, truncated], { repairable: true }), {}, first, 'retry errors'],
    ['what only warns is repaired', report([warning], { repairable: true }), {}, first, 'repair repairable'],
    [
      'what was cut off is not repaired where that only warns',
      report([warning, { ...truncated, severity: 'warning' }], { repairable: true }),
      { truncated: 'warning' },
      first,
      'deliver clean',
    ],
    ['no retries left', report([error]), { retries: 0 }, first, 'give-up no-retries-left'],
    ['no retries left, delivered', report([error]), { retries: 0, unresolved: 'deliver' }, first, 'deliver no-retries-left'],
    ['retries come before delivering', report([error]), { unresolved: 'deliver' }, first, 'retry errors'],
    [
      'so does a last repair',
      report([error], { repairable: true }),
      { retries: 0, repair: 'last', unresolved: 'deliver' },
      first,
      'repair repairable',
    ],
    ['invalid is not unknown', report([], { unchecked: [lost] }), { unresolved: 'deliver' }, first, 'give-up unchecked'],
    ['no progress', report([error]), {}, { ...first, stop: 'no-progress' }, 'give-up no-progress'],
    [
      'no progress, but a last repair',
      report([error], { repairable: true }),
      { repair: 'last' },
      { ...first, stop: 'no-progress' },
      'repair repairable',
    ],
    ['lenient repairs', report([error], { repairable: true }), { mode: 'lenient' }, first, 'repair repairable'],
    ['lenient delivers', report([error]), { mode: 'lenient' }, first, 'deliver lenient'],
    ['shadow changes nothing', report([error], { repairable: true }), { mode: 'shadow' }, first, 'deliver shadow'],
  ])('%s', (_name, given, policy, situation, expected) => {
    const { action, reason } = decide(given, contract(policy).policy, situation)
    expect(`${action} ${reason}`).toBe(expected)
  })

  test('is a pure function that ends every run', () => {
    const policies = fc.record({
      mode: fc.constantFrom('strict' as const, 'lenient' as const, 'shadow' as const),
      repair: fc.constantFrom('first' as const, 'last' as const, 'never' as const),
      retries: fc.nat({ max: 5 }),
      unresolved: fc.constantFrom('withhold' as const, 'deliver' as const),
    })
    const found = fc.subarray([error, warning, truncated, { ...truncated, severity: 'warning' as const }])
    const reports = fc.record({ found, unchecked: fc.boolean(), repairable: fc.boolean() })
    fc.assert(
      fc.property(policies, reports, fc.nat({ max: 9 }), fc.boolean(), (input, { found, unchecked, repairable }, attempt, repairTried) => {
        const { policy } = contract(input)
        const errors = found.some(({ severity }) => severity === 'error')
        const given = report(found, { unchecked: unchecked ? [lost] : [], repairable })
        const decision = decide(given, policy, { attempt: attempt + 1, repairTried })
        expect(decide(structuredClone(given), policy, { attempt: attempt + 1, repairTried })).toEqual(decision)
        if (decision.action === 'retry') expect(attempt + 1).toBeLessThanOrEqual(policy.retries)
        if (decision.action === 'repair') expect([repairTried, found.some(({ code }) => code === 'TRUNCATED')]).toEqual([false, false])
        const withheld = decide(given, { ...policy, unresolved: 'withhold' }, { attempt: attempt + 1, repairTried })
        if (withheld.action === 'deliver' && policy.mode === 'strict') expect(errors).toBe(false)
        // The key changes what becomes of an answer in the end, and nothing else.
        const isLast = errors && withheld.action === 'give-up' && policy.unresolved === 'deliver'
        expect(decision).toEqual(isLast ? { ...withheld, action: 'deliver' } : withheld)
      }),
      { numRuns: 2000 },
    )
  })
})
