import { dirname, resolve } from 'node:path'
import { defined } from '@stickler/core/internal'
import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { configName } from '../../config/config-name.ts'
import { loadConfig } from '../../config/files.ts'
import { UsageError } from '../../errors.ts'
import { addRunOptions, type FilterFlags } from '../../history/filter-options.ts'
import { readHistory } from '../../history/open-history.ts'
import { ProgressBar } from '../../terminal/progress-bar.ts'
import { count } from '../../terminal/text.ts'
import { wholeNumber } from '../../whole-number.ts'
import { codeOf } from '../evaluation.ts'
import { addEvaluationReportOptions, addGateOptions, type EvaluationReportFlags, type GateFlags } from '../evaluation-options.ts'
import { exportResults } from '../exports/export-results.ts'
import { type Judge, openJudge } from '../judging/judge.ts'
import { type Judging, judgeHere } from '../judging/judging.ts'
import { measure } from '../measure.ts'
import { pricesIn } from '../prices.ts'
import { writeReports } from '../reports/write-reports.ts'
import { firstVerdictOf } from '../verdict.ts'
import { needsOf } from './kept-request.ts'
import { type ReplayedRun, type RunSource, runSource } from './run-source.ts'

/** The command line options of `stickler replay`. */
export interface ReplayFlags extends FilterFlags, EvaluationReportFlags, GateFlags {
  readonly runContract?: string
  readonly limit: number
  readonly root?: string
}

/** Adds the options of `stickler replay`. */
export function addReplayOptions(command: Command, now: () => number): Command {
  command
    .option('--config <file>', 'the changed configuration; default: ./stickler.yaml')
    .option('--contract <name|file>', 'judge all runs by this contract; by default each by the one of the same name')
    .option('--run-contract <name>', 'only runs of this contract')
  addRunOptions(command, now)
    .option('--limit <number>', 'maximum number of runs', wholeNumber(1, 1e9), 100_000)
    .option('--root <dir>', 'folder for files that answers refer to; default: the current folder')
  return addEvaluationReportOptions(addGateOptions(command))
}

/** Judges recorded runs by a changed configuration; resolves to the exit code. */
export async function replayRuns(flags: ReplayFlags, cli: Cli): Promise<number> {
  const { since, until, url, store, keyEnv, config: file } = flags
  if (since !== undefined && until !== undefined && since >= until) throw new UsageError('--until must be later than --since')
  const config = await loadConfig(file, cli.io)
  const contracts = Object.keys(config?.value.contracts ?? {})
  if (flags.contract === undefined && contracts.length === 0)
    throw new UsageError('there are no contracts to judge runs by; name a configuration with --config, or a contract with --contract')
  const judges = openedByName(flags, cli)
  const progress = new ProgressBar(cli.stderr, cli.io.now, undefined)
  const source = {
    keyEnv,
    ...(url === undefined ? defined({ store, config: file }) : { url }),
  }
  const folder = dirname(resolve(cli.io.cwd, file ?? configName))
  let newest = () => 0
  const { exports, onJudged } = exportResults(flags, { contract: flags.contract ?? '', at: () => newest() })
  try {
    const evaluation = await readHistory(source, cli, async (reader) => {
      const needs = (name: string) =>
        flags.contract === undefined && !contracts.includes(name)
          ? undefined
          : judges.judgeFor(name).then(({ contract }) => needsOf(contract))
      const runs = runSource(reader, defined({ contract: flags.runContract, model: flags.model, key: flags.key, since, until }), needs, {
        limit: flags.limit,
        signal: cli.signal,
      })
      newest = () => runs.newest
      // A mistake in the contract is reported before any run is read.
      if (flags.contract !== undefined) await judges.judgeFor('')
      return measure({
        pass: { judging: judges.judging, journals: [undefined], signal: cli.signal, workers: 1 },
        source: runs,
        priceOf: pricesIn(config?.value.upstreams ?? []),
        askAgain: [({ contract }) => judges.opened(contract ?? '')?.contract.policy.askAgain ?? 'continue'],
        names: { name: flags.name ?? 'replay', contract: flags.contract ?? file ?? configName, against: 'the recorded runs' },
        gates: flags,
        texts: flags.texts === true,
        notes: () => notesOn(runs, judges.allOpened()),
        beforeOf: ({ before }: ReplayedRun) => before,
        at: newest,
        ...(onJudged && { onJudged }),
        onProgress: (answers) => progress.update(0, answers),
      })
    }).finally(() => progress.clear())
    await writeReports(evaluation, flags, { cli, config, command: 'replay', folder, exports })
    return codeOf(evaluation)
  } finally {
    exports.close()
    await judges.judging.close()
  }
}

/** The judges of contracts, each opened when its first run is judged. */
function openedByName(
  flags: ReplayFlags,
  cli: Cli,
): {
  readonly judging: Judging
  judgeFor(name: string): Promise<Judge>
  /** The judge of a run that was judged. */
  opened(name: string): Judge | undefined
  allOpened(): readonly Judge[]
} {
  const judges = new Map<string, Promise<Judge>>()
  const ready = new Map<string, Judge>()
  const judgeFor = (name: string): Promise<Judge> => {
    const contract = flags.contract ?? name
    const known = judges.get(contract)
    if (known !== undefined) return known
    const { config, root } = flags
    // Another attempt may have followed.
    const opened = openJudge(defined({ contract, config, root }), cli, firstVerdictOf)
    judges.set(contract, opened)
    void opened.then(
      (judge) => ready.set(contract, judge),
      () => {},
    )
    return opened
  }
  return {
    judgeFor,
    opened: (name) => ready.get(flags.contract ?? name),
    allOpened: () => [...ready.values()],
    judging: {
      judge: (tasks) =>
        Promise.all(
          tasks.map(async (task) => {
            const judge = await judgeFor(task.judged.contract ?? '')
            const [result] = await judgeHere([judge]).judge([task])
            return result ?? { problem: 'no verdict' }
          }),
        ),
      close: async () => void (await Promise.all([...ready.values()].map((judge) => judge.close()))),
    },
  }
}

function notesOn({ retried }: RunSource, judges: readonly Judge[]): readonly string[] {
  const { runs, usage } = retried
  const money = usage.cost === undefined ? '' : `, $${usage.cost.toFixed(4)}`
  const checks = [...new Set(judges.flatMap(({ identity }) => identity.unrepeatable))].sort()
  return [
    `as recorded, ${count(runs, 'run')} asked again: ${usage.promptTokens} + ${usage.completionTokens} tokens${money}`,
    'secrets are masked in recorded texts, so checks that look for them find fewer',
    ...(checks.length > 0 ? [`not repeatable, so another run may give other verdicts: ${checks.join(', ')}`] : []),
  ]
}
