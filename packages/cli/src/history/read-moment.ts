import { readTime } from '@stickler/gateway'
import { InvalidArgumentError } from 'commander'

const dayMs = 86_400_000
const spans: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: dayMs }

/** Parses a moment: `today` and `yesterday` (from midnight UTC), `90m`, `24h` and `7d` ago, a date or a time. */
export function readMoment(written: string, now: number): number {
  const today = Math.floor(now / dayMs) * dayMs
  if (written === 'now') return now
  if (written === 'today') return today
  if (written === 'yesterday') return today - dayMs
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(written) ?? []
  if (unit !== undefined) return Math.max(0, now - Number(count) * (spans[unit] ?? 0))
  const time = readTime(written)
  if (time !== undefined) return time
  throw new InvalidArgumentError('Write today, yesterday, 24h, 7d, 2026-01-31 or 2026-01-31T12:00:00Z.')
}

/** Reads a day: `today`, `yesterday` or a date; UTC. */
export function readDay(written: string, now: number): { readonly since: number; readonly until: number } {
  if (!/^(today|yesterday|\d{4}-\d\d-\d\d)$/.test(written)) throw new InvalidArgumentError('Write today, yesterday or 2026-01-31.')
  const since = readMoment(written, now)
  return { since, until: since + dayMs }
}
