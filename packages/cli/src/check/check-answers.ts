import type { Cli } from '../cli.ts'
import { buildChosen, chooseContract } from '../config/choose-contract.ts'
import { UsageError } from '../errors.ts'
import { findInput, type Input } from '../inputs/inputs.ts'
import { openPorts } from '../ports/open-ports.ts'
import { Tally } from '../reports/tally.ts'
import { ProgressBar } from '../terminal/progress-bar.ts'
import { checkFiles } from './check-files.ts'
import { type CheckFlags, rejectConflicts } from './check-options.ts'
import { findFiles } from './find-files.ts'

const endings = ['.md', '.markdown', '.txt']
const lineEndings = ['.jsonl', '.ndjson']

/** Checks answers in files; resolves to the exit code. */
export async function checkAnswers(files: readonly string[], flags: CheckFlags, cli: Cli): Promise<number> {
  const { io } = cli
  const written = files.length === 0 ? ['-'] : files
  rejectConflicts(flags, written)
  if (files.length === 0 && io.stdin.isTTY) throw new UsageError('name a file to check, or - for standard input')
  const choice = await chooseContract(flags, io)
  const { portsFor, executorFor, close } = await openPorts(flags, io, choice.input === undefined ? undefined : buildChosen(choice))
  const tally = new Tally(flags.failOn)
  try {
    const { inputs, faults } = await findInputs(written, flags, cli)
    for (const fault of faults) {
      tally.addFault()
      cli.note(fault)
    }
    const progress = new ProgressBar(cli.stderr, io.now, totalOf(inputs))
    const job = { cli, inputs, choice, portsFor, executorFor, tally, progress }
    try {
      if (flags.jsonl) await (await import('./check-lines.ts')).checkLines(job)
      else await checkFiles(job, { flags, faults, several: inputs.length + faults.length !== 1 })
    } finally {
      progress.clear()
    }
  } finally {
    await close()
  }
  const { unchecked } = tally.counts
  if (unchecked > 0) cli.note(`${unchecked} of the answers could not be checked in full`)
  return tally.exitCode
}

/** Finds readable inputs, and reports why the others cannot be read. */
async function findInputs(
  written: readonly string[],
  { ext, ignore = [], allowEmpty, jsonl }: CheckFlags,
  cli: Cli,
): Promise<{ readonly inputs: readonly Input[]; readonly faults: readonly string[] }> {
  const { cwd } = cli.io
  const found = await findFiles(written, { cwd, endings: ext ?? (jsonl ? lineEndings : endings), ignore, signal: cli.signal })
  const inputs: Input[] = []
  const faults = [...found.faults, ...(allowEmpty ? [] : found.unmatched.map((argument) => `no files to check for ${argument}`))]
  for (const file of found.files) {
    try {
      inputs.push(await findInput(file, cli.io))
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      faults.push(error.message)
    }
  }
  if (inputs.length === 0 && faults.length === 0 && !allowEmpty) faults.push('no files to check')
  return { inputs, faults }
}

function totalOf(inputs: readonly Input[]): number | undefined {
  return inputs.reduce<number | undefined>((sum, { size }) => (sum === undefined || size === undefined ? undefined : sum + size), 0)
}
