import type { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { safeJson } from '../terminal/printable.ts'
import { UsageError } from '../usage-error.ts'
import { describeSummary } from './describe-summary.ts'
import { readHistory } from './open-history.ts'
import { readDay } from './read-moment.ts'
import { addFilterOptions, type FilterFlags } from './source-options.ts'

interface StatsFlags extends FilterFlags {
  readonly day?: { readonly since: number; readonly until: number }
}

const dayMs = 86_400_000

/** Defines `stickler stats`. */
export function defineStatsCommand(command: Command, cli: Cli, now: () => number): void {
  command
    .description(
      'Summarizes recorded runs by contract and key: what failed and why, and which validators cost the most retries and money.\n' +
        'Covers the last 24 hours unless --day, --since or --until is given.',
    )
    .option('--day <day>', 'one whole day: today, yesterday or a date; UTC', (written) => readDay(written, now()))
  addFilterOptions(command, now).action(async (flags: StatsFlags) => {
    const { contract, model, key, json } = flags
    const given = Object.entries({ contract, model, key }).filter(([, value]) => value !== undefined)
    const query = { ...timesOf(flags, now()), ...Object.fromEntries(given) }
    const summary = await readHistory(flags, cli, (reader) => reader.summary(query))
    await cli.stdout.write(json ? `${safeJson(summary, 2)}\n` : describeSummary(summary, cli.paintOut))
  })
}

function timesOf({ day, since, until }: StatsFlags, now: number): { readonly since: number; readonly until: number } {
  if (day !== undefined && (since !== undefined || until !== undefined)) throw new UsageError('--day excludes --since and --until')
  if (day !== undefined) return day
  const end = until ?? now
  const begin = since ?? Math.max(0, end - dayMs)
  if (begin >= end) throw new UsageError('--until must be later than --since')
  return { since: begin, until: end }
}
