import { describe, expect, it } from 'vitest'
import { filters, readFilters, runsAddress } from './filters.ts'
import { momentsOf, periodParameters, readPeriod } from './period.ts'

const read = (query: string) => readPeriod(new URLSearchParams(query))

describe('the period of an address', () => {
  it.each([
    ['', 86_400_000],
    ['range=1h', 3_600_000],
    ['range=7d', 604_800_000],
    ['range=constructor', 86_400_000],
    ['since=5', 86_400_000],
    ['since=10&until=5', 86_400_000],
    ['since=-1&until=5', 86_400_000],
    ['since=1e3&until=99999', 86_400_000],
    ['since=1&until=9999999999999999', 86_400_000],
    ['since=1000&until=3000', 2000],
  ])('%s lasts %d ms', (query, ms) => {
    const { since, until } = momentsOf(read(query), 1_700_000_000_000)
    expect(until - since).toBe(ms)
  })

  it('moves in steps, ends after now, and is written as it was read', () => {
    const hour = read('range=1h')
    const [first, same, next] = [0, 4000, 10_000].map((more) => momentsOf(hour, 1_700_000_001_000 + more))
    expect(same).toEqual(first)
    expect(next).not.toEqual(first)
    expect(first?.until).toBeGreaterThan(1_700_000_001_000)
    for (const query of ['range=1h', 'since=1000&until=3000']) {
      const written = Object.entries(periodParameters(read(query))).filter(([, value]) => value !== '')
      expect(String(new URLSearchParams(written))).toBe(query)
    }
  })
})

describe('the filters of an address', () => {
  it('are those of the API, each value once', () => {
    const query = new URLSearchParams('status=failed&status=unresolved&status=failed&model=&range=1h&cols=a&q=a%26b&nonsense=1')
    expect(String(readFilters(query))).toBe('status=failed&status=unresolved&q=a%26b')
    expect(new Set(filters.map(({ name }) => name)).size).toBe(filters.length)
  })

  it('lead to runs in the same period, whatever a value has', () => {
    const address = runsAddress(new URLSearchParams('range=1h&status=valid'), { model: 'a/b&c=d#<', code: ['X', 'Y'] })
    const { pathname, searchParams } = new URL(address, 'http://page')
    expect([
      pathname,
      searchParams.get('range'),
      searchParams.get('model'),
      searchParams.getAll('code'),
      searchParams.get('status'),
    ]).toEqual(['/runs', '1h', 'a/b&c=d#<', ['X', 'Y'], null])
  })
})
