import type { Cli } from '../cli.ts'
import { UsageError } from '../errors.ts'
import { exitCode } from '../exit-code.ts'
import { writeNamed } from '../files/write-file.ts'
import { findInput } from '../inputs/inputs.ts'
import { openRecordings } from '../recordings/open-recordings.ts'
import { count } from '../terminal/text.ts'
import { countRejected, mostRejected, suggestRules } from './rules.ts'
import { type Sample, sampleOf } from './sample.ts'
import { writeContract } from './write-contract.ts'

/** The command line options of `stickler suggest`. */
export interface SuggestFlags {
  readonly format?: string
  readonly sample: number
  readonly out?: string
}

/** Fewer answers say nothing about others. */
const fewest = 5

/** Proposes a contract from recorded answers; resolves to the exit code. */
export async function suggestContract(files: readonly string[], flags: SuggestFlags, cli: Cli): Promise<number> {
  const { io, signal } = cli
  if (files.length === 0 && io.stdin.isTTY) throw new UsageError('name a file with recorded answers, or - for standard input')
  const inputs = await Promise.all((files.length === 0 ? ['-'] : files).map((file) => findInput(file, io)))
  const source = await openRecordings(inputs, { format: flags.format, signal })
  const sample = await sampleOf(source, flags.sample)
  if (sample.texts.length < fewest)
    throw new UsageError(
      `there are ${count(sample.texts.length, 'answer')} to learn from, and at least ${fewest} are needed (${sample.tally.describe()})`,
    )
  const rules = await suggestRules(sample.texts, signal)
  cli.stderr.say(`${sample.tally.describe()} (${source.format})\n`)
  if (rules.length === 0) {
    cli.note('no rule holds for nearly all of these answers')
    return exitCode.violated
  }
  const rejected = await countRejected(
    rules.map(({ check }) => check),
    sample.texts,
  )
  const text = writeContract({ rules, rejected, answers: sample.texts.length, notes: notesOn(sample) })
  if (flags.out === undefined) await cli.stdout.write(text)
  else await writeNamed(flags.out, text, cli.io.cwd)
  return exitCode.ok
}

function notesOn({ texts, accepted, leftOut }: Sample): readonly string[] {
  const others = Object.entries(leftOut).flatMap(([reason, number]) => (number > 0 ? [`${number} ${reason}`] : []))
  return [
    `Suggested by stickler from ${count(accepted, 'accepted answer')}${accepted > texts.length ? `, of which ${texts.length} were sampled with a fixed seed` : ''}.`,
    ...(others.length > 0 ? [`Left out: ${others.join(', ')}.`] : []),
    `Review each rule: it says what was seen, not what is right. Rules that would reject more than ${mostRejected * 100} % are not listed.`,
  ]
}
