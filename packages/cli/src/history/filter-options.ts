import { readTime } from '@stickler/gateway/internal'
import { type Command, InvalidArgumentError } from 'commander'

/** Where runs are read from. */
export interface SourceFlags {
  readonly config?: string
  readonly store?: string
  readonly url?: string
  readonly keyEnv: string
}

/** Which runs are wanted. */
export interface FilterFlags extends SourceFlags {
  readonly contract?: string
  readonly model?: string
  readonly key?: string
  readonly since?: number
  readonly until?: number
  readonly json?: true
}

/** The default environment variable for the key of a gateway. */
const usualKeyVariable = 'STICKLER_API_KEY'

/** Adds the options that choose runs, and where they are read from. */
export function addRunOptions(command: Command, now: () => number): Command {
  const moment = (written: string): number => readMoment(written, now())
  return command
    .option('--model <name>', 'only runs of this model, as clients name it')
    .option('--key <name>', 'only runs of the key with this name')
    .option(
      '--since <time>',
      'from this time on: today, yesterday, 24h, 7d, a date or a time in ISO 8601; days begin at midnight UTC',
      moment,
    )
    .option('--until <time>', 'before this time', moment)
    .option('--store <url>', 'the store, in place of store.url: sqlite:FILE or postgres://…')
    .option('--url <address>', 'query a running gateway instead of its store')
    .option('--key-env <name>', 'the environment variable with the key for --url', usualKeyVariable)
}

/** Adds the options that `runs` and `stats` share. */
export function addFilterOptions(command: Command, now: () => number): Command {
  return addRunOptions(command.option('--contract <name>', 'only runs of this contract'), now)
    .option('--config <file>', 'the configuration that names the store, in place of ./stickler.yaml')
    .option('--json', 'as JSON, in the format of the admin API')
}

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
