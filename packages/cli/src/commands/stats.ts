import { UsageError } from '../errors.ts'
import { exitCode } from '../exit-code.ts'
import { describeSummary } from '../history/describe-summary.ts'
import type { FilterFlags } from '../history/filter-options.ts'
import { safeJson } from '../terminal/printable.ts'
import type { CommandRecord } from './command.ts'

interface StatsFlags extends FilterFlags {
  readonly day?: { readonly since: number; readonly until: number }
}

const dayMs = 86_400_000

/** `stickler stats`. */
export const stats: CommandRecord = {
  name: 'stats',
  summary: 'show what failed, why, and what it cost',
  description:
    'Summarizes recorded runs by contract and key: what failed and why, and which validators cost the most retries and money.\n' +
    'Covers the last 24 hours unless --day, --since or --until is given.',
  async options(command, { platform }) {
    const { addFilterOptions, readDay } = await import('../history/filter-options.ts')
    const { today } = await platform()
    command.option('--day <day>', 'one whole day: today, yesterday or a date; UTC', (written) => readDay(written, today()))
    addFilterOptions(command, today)
  },
  async run(_args, flags: StatsFlags, { cli, platform }) {
    const { contract, model, key, json } = flags
    const given = Object.entries({ contract, model, key }).filter(([, value]) => value !== undefined)
    const query = { ...timesOf(flags, (await platform()).today()), ...Object.fromEntries(given) }
    const { readHistory } = await import('../history/open-history.ts')
    const summary = await readHistory(flags, cli, (reader) => reader.summary(query))
    await cli.stdout.write(json ? `${safeJson(summary, 2)}\n` : describeSummary(summary, cli.paintOut))
    return exitCode.ok
  },
}

function timesOf({ day, since, until }: StatsFlags, now: number): { readonly since: number; readonly until: number } {
  if (day !== undefined && (since !== undefined || until !== undefined)) throw new UsageError('--day excludes --since and --until')
  if (day !== undefined) return day
  const end = until ?? now
  const begin = since ?? Math.max(0, end - dayMs)
  if (begin >= end) throw new UsageError('--until must be later than --since')
  return { since: begin, until: end }
}
