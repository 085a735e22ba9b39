import { mkdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { commandStore } from '@stickler/gateway/internal'
import type { Cli } from '../../cli.ts'
import type { Config } from '../../config/files.ts'
import { UsageError } from '../../errors.ts'
import { whyNot } from '../../files/why-not.ts'
import { replaceFile } from '../../files/write-file.ts'
import { withoutCommands } from '../../reports/workflow-commands.ts'
import { type Paint, paintFor } from '../../terminal/paint.ts'
import { safeJson } from '../../terminal/printable.ts'
import { version } from '../../version.ts'
import type { Evaluation } from '../evaluation.ts'
import { type EvaluationFormat, type EvaluationReportFlags, evaluationFormats } from '../evaluation-options.ts'
import type { Exports } from '../exports/open-exports.ts'
import { textReport } from './text-report.ts'

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
  await cli.stdout.write(guarded(await render(printed, evaluation, cli.paintOut, command), printed, cli))
  const plain = paintFor({ ...cli.io.stdout, isTTY: false } as typeof cli.io.stdout, {})
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
  const place = savedFolder({ cli, config, folder })
  const path = join(place, `${evaluation.id}.json`)
  try {
    mkdirSync(place, { recursive: true })
  } catch (error) {
    throw new UsageError(`cannot write ${path}: ${whyNot(error)}`)
  }
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

/** On GitHub, the text report must not contain workflow commands; other formats escape them themselves. */
function guarded(text: string, format: EvaluationFormat, { io }: Cli): string {
  return format === 'text' && io.env.GITHUB_ACTIONS ? withoutCommands(text) : text
}

async function render(format: EvaluationFormat, evaluation: Evaluation, paint: Paint, command: ReportSetting['command']): Promise<string> {
  switch (format) {
    case 'text':
      return textReport(evaluation, paint)
    case 'json':
      return `${safeJson(evaluation, 2)}\n`
    case 'junit':
      return (await import('./junit-report.ts')).junitReport(evaluation, version())
    case 'markdown':
      return (await import('./markdown-report.ts')).markdownReport(evaluation)
    case 'github':
      return (await import('./github-report.ts')).githubReport(evaluation, command)
    case 'html':
      return (await import('./html-report.ts')).htmlReport(evaluation, version())
  }
}
