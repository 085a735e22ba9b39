import { answerFields } from '@stickler/core/checks'
import type { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { buildChosen, chooseContract } from '../config/choose-contract.ts'
import { openPorts } from '../ports/open-ports.ts'
import { ProgressBar } from '../terminal/progress-bar.ts'
import { UsageError } from '../usage-error.ts'
import { version } from '../version.ts'
import { checkFiles } from './check-files.ts'
import { addCheckOptions, type CheckFlags, rejectConflicts } from './check-options.ts'
import { findFiles } from './files/find-files.ts'
import { findInput, type Input } from './inputs.ts'
import { Tally } from './tally.ts'

/** Defines `stickler check`. */
export function defineCheckCommand(command: Command, cli: Cli, end: (exitCode: number) => void): void {
  command.description(
    'Checks answers in files, or on standard input for -, and reports what is wrong and what a repair would change.\n' +
      'Exits with 0 when all answers keep their contracts, 1 when one breaks its contract or is withheld unchecked, 2 when a file could not be read or written.',
  )
  addCheckOptions(command)
    .addHelpText('after', lineHelp)
    .action(async (files: string[], flags: CheckFlags) => end(await check(files, flags, cli, version())))
}

const lineHelp = (): string => `
A line of --jsonl may have: id, checks (a list of names or {"name":{options}}), repair, allow, root, and ${answerFields().join(', ')}.
A line that cannot be judged gives {"id","line","error":{"message"}}.`

const endings = ['.md', '.markdown', '.txt']
const lineEndings = ['.jsonl', '.ndjson']

async function check(files: readonly string[], flags: CheckFlags, cli: Cli, version: string): Promise<number> {
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
      else await checkFiles(job, { flags, version, faults, several: inputs.length + faults.length !== 1 })
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
