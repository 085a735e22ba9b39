import { answerFields } from '@stickler/core/internal'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { addContractOptions, type ContractFlags } from '../config/contract-options.ts'
import { UsageError } from '../errors.ts'
import { formats, outputReader, type ReportFlags } from '../reports/report-writer.ts'
import { type FailOn, failures } from '../reports/tally.ts'

/** The command line options of `stickler check`. */
export interface CheckFlags extends ContractFlags, ReportFlags {
  readonly root?: string
  readonly jsonl?: true
  readonly fix?: true
  readonly dryRun?: true
  readonly failOn?: readonly FailOn[]
  readonly ext?: readonly string[]
  readonly ignore?: readonly string[]
  readonly allowEmpty?: true
}

/** Adds the options of `stickler check`. */
export function addCheckOptions(command: Command): Command {
  return addContractOptions(command)
    .option('--root <dir>', 'folder for files that answers refer to; default: the current folder')
    .option('--ext <endings>', 'extensions of files to check in folders, separated by commas; default: .md,.markdown,.txt', readEndings)
    .option('--ignore <glob>', 'files and folders to skip; may be repeated', collect)
    .option('--allow-empty', 'do not fail if there are no files to check, or standard input is empty')
    .addOption(new Option('--format <format>', 'what is printed').choices(formats).default('text'))
    .option('--json', 'the same as --format json')
    .option('--output <format=file>', 'also write a report to a file, such as sarif=stickler.sarif; may be repeated', outputReader(formats))
    .option('--quiet', 'print only failures')
    .option('--fail-on <what>', `other results that count as failures, comma-separated: ${failures.join(', ')}`, readFailures)
    .option('--fix', 'write repairs back to the files; for standard input, print the repaired text')
    .option('--dry-run', 'print what --fix would change as a unified diff, and write nothing')
    .option('--jsonl', 'read one JSON object per line, write one result per line')
    .addHelpText('after', lineHelp)
}

const lineHelp = (): string => `
A line of --jsonl may have: id, checks (a list of names or {"name":{options}}), repair, allow, root, and ${answerFields().join(', ')}.
A line that cannot be judged gives {"id","line","error":{"message"}}.`

/** Throws a UsageError for mutually exclusive options; `inputs` are the arguments. */
export function rejectConflicts(flags: CheckFlags, inputs: readonly string[]): void {
  const { json, jsonl, format, output, fix, dryRun, quiet } = flags
  if (json && jsonl) throw new UsageError('--json and --jsonl exclude each other')
  if (jsonl && (fix || dryRun)) throw new UsageError('--fix does not rewrite JSON lines; each result of --jsonl has its repaired text')
  if (jsonl && (quiet || output !== undefined || (format !== undefined && format !== 'text')))
    throw new UsageError('--jsonl has its own format and excludes --format, --output and --quiet')
  if (json && format !== undefined && format !== 'text' && format !== 'json')
    throw new UsageError(`--json and --format ${format} exclude each other`)
  const printed = json || (format !== undefined && format !== 'text')
  if (dryRun && printed) throw new UsageError('--dry-run prints a diff; use --output to write a report as well')
  if (fix && inputs.includes('-')) {
    if (inputs.length > 1) throw new UsageError('--fix prints the text of standard input, so - must be the only input')
    if (printed) throw new UsageError('--fix prints the text of standard input; use --output to write a report as well')
  }
}

function collect(written: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), written]
}

function readEndings(written: string): readonly string[] {
  const endings = written.split(',').map((one) => one.trim().toLowerCase())
  if (endings.some((one) => !/^\.?[^./\\\s][^/\\]*$/.test(one))) throw new InvalidArgumentError('Write endings such as .md,.txt.')
  return endings.map((one) => (one.startsWith('.') ? one : `.${one}`))
}

function readFailures(written: string): readonly FailOn[] {
  const words = written.split(',').map((one) => one.trim())
  // Always a failure, so naming it is harmless.
  const known = words.filter((word) => word !== 'unresolved')
  if (known.some((word) => !failures.includes(word as FailOn))) throw new InvalidArgumentError(`Valid values: ${failures.join(', ')}.`)
  return known as FailOn[]
}
