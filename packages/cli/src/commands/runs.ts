import type { RunFilter, RunReader, RunSummary } from '@stickler/gateway/internal'
import { Option } from 'commander'
import type { Cli } from '../cli.ts'
import { UsageError } from '../errors.ts'
import { exitCode } from '../exit-code.ts'
import { describeRun } from '../history/describe-run.ts'
import { describeRuns } from '../history/describe-runs.ts'
import type { FilterFlags } from '../history/filter-options.ts'
import { safeJson } from '../terminal/printable.ts'
import { wholeNumber } from '../whole-number.ts'
import type { CommandRecord } from './command.ts'

interface RunsFlags extends FilterFlags {
  readonly status?: NonNullable<RunFilter['status']>
  readonly code?: string
  readonly session?: string
  readonly limit: number
}

const pageRows = 200

/** `stickler runs`. */
export const runs: CommandRecord = {
  name: 'runs',
  summary: 'show recorded runs',
  arguments: { '[id]': 'the id of one run' },
  description:
    'Lists recorded runs, newest first, or shows one run with its attempts, issues and repairs.\n' +
    'Reads the configured store, even while the gateway is running, or queries a gateway with --url.',
  async options(command, { platform }) {
    const { runStatuses } = await import('@stickler/core/internal')
    command
      .addOption(new Option('--status <status>', 'only runs with this status').choices(runStatuses))
      .option('--code <code>', 'only runs in which an issue with this code occurred')
      .option('--session <name>', 'only runs of this session')
      .option('--limit <number>', 'maximum number of runs', wholeNumber(1, 100_000), 20)
    const { addFilterOptions } = await import('../history/filter-options.ts')
    addFilterOptions(command, (await platform()).today)
  },
  async run([id], flags: RunsFlags, { cli }) {
    const { readHistory } = await import('../history/open-history.ts')
    await readHistory(flags, cli, (reader) => (id === undefined ? list(reader, flags, cli) : show(reader, id, flags, cli)))
    return exitCode.ok
  },
}

async function list(reader: RunReader, flags: RunsFlags, cli: Cli): Promise<void> {
  const { contract, model, key, since, until, status, code, session, limit } = flags
  if (since !== undefined && until !== undefined && since >= until) throw new UsageError('--until must be later than --since')
  const given = Object.entries({ contract, model, key, since, until, status, code, session }).filter(([, value]) => value !== undefined)
  const runs: RunSummary[] = []
  let next: string | undefined
  do {
    const page = await reader.listRuns({
      ...(Object.fromEntries(given) as RunFilter),
      limit: Math.min(pageRows, limit - runs.length),
      ...(next === undefined ? {} : { before: next }),
    })
    runs.push(...page.runs)
    next = page.next
    cli.signal.throwIfAborted()
  } while (next !== undefined && runs.length < limit)
  if (flags.json) await cli.stdout.write(`${safeJson({ items: runs, ...(next === undefined ? {} : { next }) }, 2)}\n`)
  else await cli.stdout.write(describeRuns(runs, cli.paintOut))
  if (runs.length === 0) cli.note('no runs match')
  else if (next !== undefined && !flags.json) cli.note(`there are more; --limit ${limit * 10} shows them`)
}

async function show(reader: RunReader, id: string, { json }: RunsFlags, cli: Cli): Promise<void> {
  const run = await reader.getRun(id)
  if (run === undefined) throw new UsageError(`there is no run ${id}`)
  await cli.stdout.write(json ? `${safeJson(run, 2)}\n` : describeRun(run, cli.paintOut))
}
