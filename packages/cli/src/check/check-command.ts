import { answerFields } from '@stickler/core/runners'
import type { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { buildChosen, chooseContract } from '../config/choose-contract.ts'
import { addContractOptions, type ContractFlags } from '../config/contract-options.ts'
import { openPorts } from '../open-ports.ts'
import { ProgressBar } from '../terminal/progress-bar.ts'
import { UsageError } from '../usage-error.ts'
import { checkLines } from './check-lines.ts'
import { checkTexts } from './check-texts.ts'
import { findInput, type Input } from './inputs.ts'
import { Tally } from './tally.ts'

interface CheckFlags extends ContractFlags {
  readonly root?: string
  readonly json?: true
  readonly jsonl?: true
}

/** Adds `stickler check`. */
export function addCheckCommand(program: Command, cli: Cli, end: (exitCode: number) => void): void {
  const command = program
    .command('check')
    .summary('check answers in files')
    .description(
      'Checks answers in files, or on standard input for -, and reports what is wrong and what a repair would change.\n' +
        'Ends with 0 when all keep their contracts, 1 when one breaks it or is withheld unchecked, 2 when something could not be read.',
    )
    .argument('[file...]', 'files, or - for standard input')
  addContractOptions(command)
    .option('--root <dir>', 'where files that answers name must exist; default: the current folder')
    .option('--json', 'print one JSON object with all results')
    .option('--jsonl', 'read one JSON object per line, write one result per line')
    .addHelpText('after', lineHelp)
    .action(async (files: string[], flags: CheckFlags) => end(await check(files, flags, cli)))
}

const lineHelp = `
A line of --jsonl may have: id, checks (a list of names or {"name":{options}}), repair, allow, root, and ${answerFields.join(', ')}.
A line that cannot be judged gives {"id","line","error":{"message"}}.`

async function check(files: readonly string[], flags: CheckFlags, cli: Cli): Promise<number> {
  const { io } = cli
  if (flags.json && flags.jsonl) throw new UsageError('--json and --jsonl exclude each other')
  if (files.length === 0 && io.stdin.isTTY) throw new UsageError('name a file to check, or - for standard input')
  const choice = await chooseContract(flags, io)
  const { portsFor, executorFor, close } = await openPorts(flags, io, choice.input === undefined ? undefined : buildChosen(choice))
  const tally = new Tally()
  const inputs = await findInputs(files.length === 0 ? ['-'] : files, cli, tally)
  const progress = new ProgressBar(cli.stderr, io.now, totalOf(inputs))
  const job = { cli, inputs, choice, portsFor, executorFor, tally, progress }
  try {
    await (flags.jsonl ? checkLines(job) : checkTexts(job, flags.json === true))
  } finally {
    progress.clear()
    await close()
  }
  if (tally.unchecked > 0) cli.note(`${tally.unchecked} of the answers could not be checked in full`)
  return tally.exitCode
}

/** Finds what can be read, and says of the rest why it cannot. */
async function findInputs(files: readonly string[], cli: Cli, tally: Tally): Promise<readonly Input[]> {
  const inputs: Input[] = []
  // Standard input can be read once only.
  for (const file of files.filter((one, index) => one !== '-' || files.indexOf(one) === index)) {
    try {
      inputs.push(await findInput(file, cli.io))
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      tally.addUnreadable()
      cli.note(error.message)
    }
  }
  return inputs
}

function totalOf(inputs: readonly Input[]): number | undefined {
  return inputs.reduce<number | undefined>((sum, { size }) => (sum === undefined || size === undefined ? undefined : sum + size), 0)
}
