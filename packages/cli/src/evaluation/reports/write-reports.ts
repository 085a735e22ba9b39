import { mkdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { commandStore } from '@stickler/gateway/internal'
import type { Cli } from '../../cli.ts'
import type { Config } from '../../config/files.ts'
import { UsageError } from '../../errors.ts'
import { whyNot } from '../../files/why-not.ts'
import { replaceFile } from '../../files/write-file.ts'
import { guarded } from '../../reports/workflow-commands.ts'
import { plain } from '../../terminal/paint.ts'
import type { Evaluation } from '../evaluation.ts'
import { type EvaluationReportFlags, evaluationFormats } from '../evaluation-options.ts'
import type { Exports } from '../exports/export-results.ts'
import { render } from './render.ts'

/** What reports are written with. */
interface ReportSetting {
  readonly cli: Cli
  readonly config: Config | undefined
  /** The command that reports. */
  readonly command: 'eval' | 'replay'
  /** The folder of the configuration. */
  readonly folder: string
  readonly exports: Pick<Exports, 'files'>
}

/** Prints a report and writes the others that the options ask for. */
export async function writeReports(evaluation: Evaluation, flags: EvaluationReportFlags, setting: ReportSetting): Promise<void> {
  const { cli, command } = setting
  const printed = flags.json ? 'json' : (flags.format ?? 'text')
  await cli.stdout.write(guarded(await render(printed, evaluation, cli.paintOut, command), printed, cli.io.env))
  for (const { format: wanted, file } of flags.output ?? []) {
    const format = evaluationFormats.find((one) => one === wanted)
    if (format !== undefined) await write(resolve(cli.io.cwd, file), file, await render(format, evaluation, plain, command))
  }
  for (const { file, text } of setting.exports.files(evaluation)) await write(resolve(cli.io.cwd, file), file, text)
  const stepSummary = printed === 'github' ? cli.io.env.GITHUB_STEP_SUMMARY : undefined
  if (stepSummary) {
    const { appendSummary } = await import('../../reports/step-summary.ts')
    appendSummary(stepSummary, await render('markdown', evaluation, plain, command), cli)
  }
  if (flags.save) await save(evaluation, setting)
}

/** The folder in which the dashboard of the gateway finds reports. */
export function savedFolder({ cli, config, folder }: Pick<ReportSetting, 'cli' | 'config' | 'folder'>): string {
  return join(commandStore(config?.value, { env: cli.io.env, folder }).folder, 'evaluations')
}

/** Keeps the report where the dashboard of the gateway finds it. */
async function save(evaluation: Evaluation, { cli, config, folder }: ReportSetting): Promise<void> {
  const path = join(savedFolder({ cli, config, folder }), `${evaluation.id}.json`)
  await write(path, path, `${JSON.stringify(evaluation)}\n`)
  cli.note(`kept the report as ${evaluation.id}`)
}

async function write(path: string, shown: string, text: string | AsyncIterable<string>): Promise<void> {
  try {
    mkdirSync(dirname(path), { recursive: true })
    await replaceFile(path, text)
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(`cannot write ${shown}: ${whyNot(error)}`)
  }
}
