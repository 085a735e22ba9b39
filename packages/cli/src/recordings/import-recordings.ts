import { defined } from '@stickler/core/internal'
import type { Cli } from '../cli.ts'
import { UsageError } from '../errors.ts'
import { exitCode } from '../exit-code.ts'
import { writeNamed } from '../files/write-file.ts'
import { findInput } from '../inputs/inputs.ts'
import { printable, safeJson } from '../terminal/printable.ts'
import { openRecordings } from './open-recordings.ts'
import { isRecording, type Recording, type RecordingSource } from './recording.ts'
import { RecordTally } from './tally.ts'

/** The command line options of `stickler import`. */
export interface ImportFlags {
  readonly format?: string
  readonly requests?: string
  readonly out?: string
}

/** Writes recorded answers as lines for `check --jsonl`; resolves to the exit code. */
export async function importRecordings(files: readonly string[], flags: ImportFlags, cli: Cli): Promise<number> {
  const { io, signal } = cli
  if (files.length === 0 && io.stdin.isTTY) throw new UsageError('name a file to import, or - for standard input')
  const inputs = await Promise.all((files.length === 0 ? ['-'] : files).map((file) => findInput(file, io)))
  if (inputs.filter(({ file }) => file === undefined).length + (flags.requests === '-' ? 1 : 0) > 1)
    throw new UsageError('standard input can be read only once')
  const requests = flags.requests === undefined ? undefined : await findInput(flags.requests, io)
  const source = await openRecordings(inputs, { format: flags.format, requests, signal })
  const tally = new RecordTally()
  if (flags.out === undefined) for await (const line of linesOf(source, tally)) await cli.stdout.write(line)
  else await intoFile(flags.out, linesOf(source, tally), cli)
  cli.stderr.say(`${printable(tally.describe())} (${source.format})\n`)
  return tally.answers === 0 ? exitCode.violated : exitCode.ok
}

async function intoFile(file: string, lines: AsyncIterable<string>, { io, signal }: Cli): Promise<void> {
  try {
    await writeNamed(file, lines, io.cwd)
  } catch (error) {
    signal.throwIfAborted()
    throw error
  }
}

async function* linesOf(source: RecordingSource, tally: RecordTally): AsyncGenerator<string> {
  for await (const record of source.read()) {
    tally.add(record)
    if (isRecording(record)) yield `${safeJson(lineOf(record))}\n`
  }
}

/** A recording as a line of `check --jsonl`, which is read back as the same recording. */
export function lineOf({ id, fields, model, usage, label, contract }: Recording): Readonly<Record<string, unknown>> {
  const own = Object.entries(fields).filter(([key]) => key !== 'id')
  return { id, ...Object.fromEntries(own), ...defined({ model, usage, label, contract }) }
}
