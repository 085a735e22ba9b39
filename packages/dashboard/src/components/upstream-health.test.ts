import { expect, it } from 'vitest'
import { upstreamHealth } from './upstream-health.ts'

it.each([
  ['closed', 812, 4, 'healthy', 'valid'],
  ['closed', 10, 1, 'healthy', 'valid'],
  ['closed', 10, 2, 'circuit closed', ''],
  ['closed', 4, 4, 'failing', 'failed'],
  ['closed', 4, 2, 'failing', 'failed'],
  ['closed', 2, 2, 'circuit closed', ''],
  ['closed', 0, 0, 'circuit closed', ''],
  ['half-open', 4, 4, 'trying again', 'unchecked'],
  ['open', 4, 4, 'circuit open', 'unresolved'],
] as const)('a circuit that is %s with %d calls and %d errors is "%s"', (breaker, calls, errors, children, tone) => {
  expect(upstreamHealth({ breaker, calls, errors })).toEqual({ children, tone })
})
