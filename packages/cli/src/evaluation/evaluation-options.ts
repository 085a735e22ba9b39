import { type Command, InvalidArgumentError, Option } from 'commander'
import { addContractOptions } from '../config/contract-options.ts'
import { type OutputFile, outputReader } from '../reports/report-writer.ts'
import { wholeNumber } from '../whole-number.ts'
import type { JudgeFlags } from './judging/judge.ts'
import { addQueueOptions, type QueueFlags } from './queue/queue-address.ts'

/** The formats of reports on evaluations. */
export const evaluationFormats = ['text', 'json', 'junit', 'markdown', 'html', 'github'] as const

/** One of `text`, `json`, `junit`, `markdown`, `html`, `github`. */
export type EvaluationFormat = (typeof evaluationFormats)[number]

/** Formats of other tools, with one result per answer; they are only written to files. */
export const exportFormats = ['promptfoo', 'otel', 'jsonl'] as const

/** One of `promptfoo`, `otel`, `jsonl`. */
export type ExportFormat = (typeof exportFormats)[number]

/** What reports an evaluation writes. */
export interface EvaluationReportFlags {
  readonly json?: true
  readonly format?: EvaluationFormat
  readonly output?: readonly OutputFile<EvaluationFormat | ExportFormat>[]
  readonly texts?: true
  readonly save?: true
  readonly name?: string
}

/** What an evaluation must show to pass. */
export interface GateFlags {
  readonly minValid?: number
  readonly maxUnchecked?: number
  readonly maxNewFailures?: number
}

/** The command line options of `eval` beside its sources. */
export interface EvaluationFlags extends JudgeFlags, EvaluationReportFlags, GateFlags, QueueFlags {
  readonly jobTimeout?: number
  readonly against?: string
  readonly baseline?: string
  readonly bless?: true
  /** False with `--no-cache`. */
  readonly cache: boolean
  readonly cacheOutside?: true
  readonly allowUnchecked?: true
  readonly workers?: number
}

/** Adds the options of `eval` beside its sources. */
export function addEvaluationOptions(command: Command): Command {
  addContractOptions(command)
    .option('--root <dir>', 'folder for files that answers refer to; default: the current folder')
    .option('--against <name|file>', 'another contract for the same answers: what changes from it to --contract')
    .option('--baseline <file>', 'verdicts that were accepted before: what has changed since')
    .option('--bless', 'write the verdicts to the file of --baseline, or to that of the configuration')
  addGateOptions(command)
  addQueueOptions(command, 'let workers judge the answers, through a queue on PostgreSQL')
  return addEvaluationReportOptions(command)
    .option(
      '--job-timeout <seconds>',
      'with --queue: how long a worker may take for a batch, before others get it; default: 60',
      wholeNumber(1, 86_400),
    )
    .option('--no-cache', 'judge every answer again, and keep no verdicts')
    .option('--cache-outside', 'also keep verdicts of checks that ask a service, a program or the disk')
    .option('--allow-unchecked', 'evaluate also without the parser that the contract needs')
    .option('--workers <number>', 'threads that check answers; default: 1', wholeNumber(1, 64))
}

/** Adds the options that `eval` and `replay` share: what must hold. */
export function addGateOptions(command: Command): Command {
  return command
    .option('--min-valid <share>', 'fail if a smaller share of answers keeps the contract, such as 0.95', readShare)
    .option('--max-unchecked <number>', 'fail if more answers could not be checked', wholeNumber(0, 1e12 - 1))
    .option(
      '--max-new-failures <number>',
      'fail if more answers fail that passed before, are new, or are missing',
      wholeNumber(0, 1e12 - 1),
    )
}

/** Adds the options that `eval` and `replay` share: what is reported. */
export function addEvaluationReportOptions(command: Command): Command {
  return command
    .addOption(new Option('--format <format>', 'what is printed').choices(evaluationFormats).default('text'))
    .option('--json', 'the same as --format json')
    .option(
      '--output <format=file>',
      'also write a report, or results for promptfoo, otel or jsonl, to a file, such as html=report.html; may be repeated',
      outputReader([...evaluationFormats, ...exportFormats]),
    )
    .option('--texts', 'put the texts of answers into reports')
    .option('--name <name>', 'name of the evaluation in reports')
    .option('--save', 'keep the report where the dashboard finds it: evaluations/ beside the store')
}

function readShare(written: string): number {
  const percent = /^(\d{1,3}(?:\.\d{1,9})?) ?%$/.exec(written)
  const share = percent ? Number(percent[1]) / 100 : /^(?:0|1|0?\.\d{1,12}|1\.0{1,12})$/.test(written) ? Number(written) : Number.NaN
  if (share >= 0 && share <= 1) return share
  throw new InvalidArgumentError('Write a share from 0 to 1, such as 0.95, or 95%.')
}
