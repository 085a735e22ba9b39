/** A period that ends now. */
export interface Range {
  readonly name: string
  readonly title: string
  readonly ms: number
  /** How often what is shown is requested again. */
  readonly everyMs: number
}

/** The periods that are offered. */
export const ranges: readonly Range[] = [
  { name: '15m', title: 'Last 15 minutes', ms: 900_000, everyMs: 5000 },
  { name: '1h', title: 'Last hour', ms: 3_600_000, everyMs: 10_000 },
  { name: '6h', title: 'Last 6 hours', ms: 21_600_000, everyMs: 15_000 },
  { name: '24h', title: 'Last 24 hours', ms: 86_400_000, everyMs: 30_000 },
  { name: '7d', title: 'Last 7 days', ms: 604_800_000, everyMs: 60_000 },
  { name: '30d', title: 'Last 30 days', ms: 2_592_000_000, everyMs: 60_000 },
]

const usual = '24h'

/** What an address says about time: a period that ends now, or two moments. */
export type Period = { readonly range: Range } | { readonly since: number; readonly until: number }

/** Reads the period of an address; whatever is wrong means the usual one. */
export function readPeriod(query: URLSearchParams): Period {
  const [since, until] = [moment(query.get('since')), moment(query.get('until'))]
  if (since !== undefined && until !== undefined && until > since) return { since, until }
  const found = ranges.find(({ name }) => name === query.get('range')) ?? ranges.find(({ name }) => name === usual)
  if (found === undefined) throw new RangeError('the usual period is not one of those offered')
  return { range: found }
}

/** The two moments of a period; one that ends now is moved in steps, so that requests repeat. */
export function momentsOf(period: Period, now: number): { readonly since: number; readonly until: number } {
  if (!('range' in period)) return period
  const { ms, everyMs } = period.range
  const until = Math.ceil((now + 1) / everyMs) * everyMs
  return { since: until - ms, until }
}

/** The parameters of an address that choose a period. */
export function periodParameters(period: Period): Readonly<Record<'range' | 'since' | 'until', string>> {
  if ('range' in period) return { range: period.range.name === usual ? '' : period.range.name, since: '', until: '' }
  return { range: '', since: String(Math.round(period.since)), until: String(Math.round(period.until)) }
}

function moment(text: string | null): number | undefined {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
