import { dirname, resolve } from 'node:path'
import type { Cli } from '../cli.ts'
import { isFile } from '../config/choose-contract.ts'
import { configName } from '../config/config-name.ts'
import { type Config, loadConfig } from '../config/files.ts'
import { UnreachableError, UsageError } from '../errors.ts'
import type { RecordingSource } from '../recordings/recording.ts'
import { Baseline } from './baseline.ts'
import { codeOf, type Evaluation } from './evaluation.ts'
import type { EvaluationFlags } from './evaluation-options.ts'
import { exportResults } from './exports/export-results.ts'
import type { Gates } from './gates.ts'
import type { Generation } from './generation/generate.ts'
import { type Judge, type JudgeFlags, otherContract, requireParser } from './judging/judge.ts'
import { type Judging, judgeHere, openJudges } from './judging/judging.ts'
import { openVerdictJournal, type VerdictJournal } from './judging/verdict-journal.ts'
import { type Measure, measure } from './measure.ts'
import { type PriceOf, pricesIn } from './prices.ts'
import { openProgressFile, type ProgressFile } from './progress-file.ts'
import type { QueueJudging } from './queue/judge-by-queue.ts'
import { savedFolder, writeReports } from './reports/write-reports.ts'

/** Where answers come from, and what only that source knows. */
export interface EvaluationSource {
  readonly recordings?: RecordingSource
  /** Makes answers where there are no recordings. */
  generate?(setting: GenerationSetting): Promise<Generation & { readonly closeJournal: () => void }>
  /** What reports call it. */
  readonly name: string
  readonly at: () => number
  onProgress?(answers: number): void
  /** The share of the input that has been read, where its size is known. */
  share?(): number | undefined
  /** Called when all answers are judged, before anything is printed. */
  onEnd?(): void
}

/** What making answers needs. */
interface GenerationSetting {
  readonly config: Config | undefined
  readonly contracts: readonly JudgeFlags[]
  readonly judges: readonly Judge[]
  readonly priceOf: PriceOf
}

/** Evaluates answers under the contract of the command line and writes all reports; resolves to the exit code. */
export async function runEvaluation(source: EvaluationSource, flags: EvaluationFlags, cli: Cli): Promise<number> {
  rejectConflicts(flags)
  const config = await loadConfig(flags.config, cli.io)
  const contracts: JudgeFlags[] = [flags, ...(flags.against === undefined ? [] : [otherContract(flags, flags.against)])]
  const journals: (VerdictJournal | undefined)[] = []
  const name = contractName(flags, config)
  const settings = gatesOf(flags, name, config)
  const baselineFile = flags.against === undefined ? (flags.baseline ?? settings.baseline) : undefined
  if (flags.bless && baselineFile === undefined)
    throw new UsageError('--bless needs --baseline FILE, the file to write, or a baseline of the contract in the configuration')
  if (flags.against !== undefined && settings.baseline !== undefined)
    cli.note(`the baseline ${settings.baseline} of the configuration is ignored, because of --against`)
  const { exports, onJudged } = exportResults(flags, { contract: name, at: source.at })
  let judges: readonly Judge[] = []
  let generation: Awaited<ReturnType<NonNullable<EvaluationSource['generate']>>> | undefined
  let judging: Judging | undefined
  let queued: QueueJudging | undefined
  let progress: ProgressFile | undefined
  let hasSucceeded = false
  try {
    judges = await openJudges(contracts, cli)
    // With a queue the parser is that of the workers.
    if (!flags.allowUnchecked && (flags.queue ?? flags.queueEnv) === undefined) await requireParser(judges, flags, cli)
    const priceOf = pricesIn(config?.value.upstreams ?? [])
    generation = await source.generate?.({ config, contracts, judges, priceOf })
    queued = await openQueue(judges, { source, flags, cli, names: [name, flags.against ?? ''] })
    judging = generation?.judging ?? queued ?? (await openJudging(judges, contracts, flags, cli))
    const budget = generation?.budget
    for (const { identity } of judges) journals.push(generation ? undefined : await openJournal(identity, flags, cli))
    const baseline = baselineFile === undefined ? undefined : await Baseline.open(baselineFile, cli.io.cwd)
    if (baseline?.exists === false && !flags.bless) throw new UsageError(`there is no baseline ${baselineFile}; --bless writes it`)
    if (settings.maxNewFailures !== undefined && flags.against === undefined && baselineFile === undefined)
      throw new UsageError('--max-new-failures needs --baseline or --against: something that answers passed before')
    // What is blessed now is not new any more.
    const gates = flags.bless ? { ...settings, maxNewFailures: undefined } : settings
    const wanted: Measure = {
      pass: {
        judging,
        journals,
        signal: cli.signal,
        workers: flags.workers ?? 1,
        ...(generation && { batch: 1 }),
        ...(queued && queuePass),
      },
      source: generation?.source ?? source.recordings ?? { format: 'none', async *read() {} },
      priceOf,
      ...(generation && { isGenerated: true }),
      askAgain: judges.map(
        ({ contract: { policy } }) =>
          () =>
            policy.askAgain,
      ),
      names: { name: flags.name ?? source.name, contract: name, against: flags.against ?? (baseline?.exists ? baselineFile : undefined) },
      gates,
      baseline,
      texts: flags.texts === true,
      notes: () => [...notesOn(judges, flags), ...(budget?.isSpent ? ['the budget is spent: some answers were not made'] : [])],
      at: source.at,
      onReused: ({ reused, verdicts }) => {
        if (reused > 0) cli.note(`${reused} of ${verdicts} verdicts were known already; --no-cache judges again`)
      },
      ...(onJudged && { onJudged }),
      onProgress: (answers) => {
        source.onProgress?.(answers)
        progress?.update(answers)
      },
    }
    if (flags.save) {
      const folder = savedFolder({ cli, config, folder: configFolder(flags, cli) })
      progress = openProgressFile(folder, wanted.names, cli.io, () => ({ ...queued?.state(), share: source.share?.() }))
    }
    const evaluation = await measure(wanted).finally(() => source.onEnd?.())
    for (const journal of journals) journal?.flush()
    await queued?.finish()
    if (generation && evaluation.answers === 0 && !generation.budget.isSpent)
      throw new UnreachableError(`no model has answered: ${evaluation.recordings.examples[0]?.message ?? ''}`)
    await writeReports(evaluation, flags, { cli, config, command: 'eval', folder: configFolder(flags, cli), exports })
    if (flags.bless && baselineFile !== undefined && baseline !== undefined) await bless(evaluation, baselineFile, baseline, cli)
    hasSucceeded = true
    return codeOf(evaluation)
  } catch (error) {
    if (cli.io.signal.aborted && (flags.cache || generation))
      cli.note(`interrupted; the ${generation ? 'answers' : 'verdicts'} so far are kept, and the same command continues`)
    throw error
  } finally {
    await progress?.end(hasSucceeded)
    for (const journal of journals) journal?.close()
    exports.close()
    await (judging?.close() ?? Promise.all(judges.map((judge) => judge.close())))
    generation?.closeJournal()
  }
}

async function bless(evaluation: Evaluation, file: string, baseline: Baseline, cli: Cli): Promise<void> {
  const { faults } = evaluation.recordings
  if (evaluation.answers === 0 || faults > 0)
    throw new UsageError(`${file} is not written: ${faults > 0 ? 'some answers could not be read' : 'there are no answers'}`)
  await baseline.write(file, cli.io.cwd)
  cli.note(`wrote the verdicts on ${evaluation.answers} answers to ${file}`)
}

function rejectConflicts({ against, baseline, bless, json, format, workers, queue, queueEnv }: EvaluationFlags): void {
  if (against !== undefined && baseline !== undefined) throw new UsageError('--against and --baseline exclude each other')
  if (bless && against !== undefined) throw new UsageError('--bless and --against exclude each other')
  if (workers !== undefined && (queue ?? queueEnv) !== undefined)
    throw new UsageError('--workers are threads of this command; with --queue, `stickler worker` has --threads')
  if (json && format !== undefined && format !== 'text' && format !== 'json')
    throw new UsageError(`--json and --format ${format} exclude each other`)
}

function contractName({ contract, preset, check }: EvaluationFlags, config: Config | undefined): string {
  if (contract !== undefined || preset !== undefined) return contract ?? preset ?? ''
  const names = check === undefined ? Object.keys(config?.value.contracts ?? {}) : []
  return names.length === 1 ? (names[0] ?? '') : 'command line'
}

/** The gates of the configuration, and those of the command line in their place. */
function gatesOf(flags: EvaluationFlags, name: string, config: Config | undefined): Gates & { readonly baseline?: string | undefined } {
  const all = config?.value.evaluation ?? {}
  const written = (flags.contract === undefined || !isFile(flags.contract)) && Object.hasOwn(all, name) ? all[name] : undefined
  const { minValid, maxUnchecked, maxNewFailures } = flags
  return {
    minValid: minValid ?? written?.minValid,
    maxUnchecked: maxUnchecked ?? written?.maxUnchecked,
    maxNewFailures: maxNewFailures ?? written?.maxNewFailures,
    baseline: written?.baseline,
  }
}

function configFolder({ config }: EvaluationFlags, { io }: Cli): string {
  return dirname(resolve(io.cwd, config ?? configName))
}

async function openJournal(identity: Judge['identity'], flags: EvaluationFlags, { io }: Cli): Promise<VerdictJournal | undefined> {
  if (!flags.cache || (identity.unrepeatable.length > 0 && !flags.cacheOutside)) return undefined
  return openVerdictJournal(resolve(io.cwd, '.stickler', 'verdicts'), identity.hash)
}

function notesOn(judges: readonly Judge[], { cache, cacheOutside }: EvaluationFlags): readonly string[] {
  const checks = [...new Set(judges.flatMap(({ identity }) => identity.unrepeatable))]
  if (checks.length === 0) return []
  const kept = cache && cacheOutside ? 'verdicts are reused nevertheless' : 'verdicts are not reused'
  return [`not repeatable, so another run may give other verdicts: ${checks.join(', ')}; ${kept}`]
}

/** Workers of other machines need larger batches and more of them. */
const queuePass = { batch: 200, workers: 32 } as const

async function openQueue(
  judges: readonly Judge[],
  { source, flags, cli, names }: { source: EvaluationSource; flags: EvaluationFlags; cli: Cli; names: readonly string[] },
): Promise<QueueJudging | undefined> {
  if (flags.queue === undefined && flags.queueEnv === undefined) return undefined
  const { openQueueJudging } = await import('./queue/judge-by-queue.ts')
  const named = judges.map(({ identity: { hash, unrepeatable } }, at) => ({
    name: names[at] ?? '',
    hash,
    isKept: flags.cache && (unrepeatable.length === 0 || flags.cacheOutside === true),
  }))
  return openQueueJudging({ contracts: named, source: source.name, here: judgeHere(judges) }, flags, cli)
}

async function openJudging(judges: readonly Judge[], contracts: readonly JudgeFlags[], { workers = 1 }: EvaluationFlags, cli: Cli) {
  const here = judgeHere(judges)
  if (workers === 1) return here
  const threads = (await import('./judging/judging-threads.ts')).judgeInThreads(workers, contracts, cli)
  return { judge: threads.judge, close: async () => void (await Promise.all([threads.close(), here.close()])) }
}
