import { Readable } from 'node:stream'
import type { Command } from 'commander'
import { findFiles } from '../check/find-files.ts'
import { findInput, type Input } from '../inputs/inputs.ts'
import type { Cli } from '../cli.ts'
import { UsageError } from '../errors.ts'
import { openRecordings } from '../recordings/open-recordings.ts'
import { ProgressBar } from '../terminal/progress-bar.ts'
import { addEvaluationOptions, type EvaluationFlags } from './evaluation-options.ts'
import { runEvaluation } from './run-evaluation.ts'

/** The command line options of `stickler eval`. */
export interface EvalFlags extends EvaluationFlags {
  readonly from?: string
  readonly requests?: string
}

/** Adds the options of `stickler eval`. */
export function addEvalOptions(command: Command): Command {
  return addEvaluationOptions(command)
    .option('--from <format>', 'the format of the recordings, if it cannot be told from them')
    .option('--requests <file>', 'the requests of a batch, joined with its answers')
}

const endings = ['.jsonl', '.ndjson', '.json']

/** Evaluates a contract on recorded answers; resolves to the exit code. */
export async function evalRecordings(files: readonly string[], flags: EvalFlags, cli: Cli): Promise<number> {
  const { io } = cli
  if (files.length === 0 && io.stdin.isTTY) throw new UsageError('name a file of recorded answers, or - for standard input')
  const inputs = await findInputs(files.length === 0 ? ['-'] : files, cli)
  const sizes = inputs.map(({ size }) => size)
  const total = sizes.some((size) => size === undefined) ? undefined : sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0)
  const progress = new ProgressBar(cli.stderr, io.now, total)
  let bytes = 0
  const count = (more: number): void => {
    bytes += more
  }
  const counted = inputs.map((input) => countBytes(input, count))
  const requests = flags.requests === undefined ? {} : { requests: await findInput(flags.requests, io) }
  const recordings = await openRecordings(counted, { format: flags.from, ...requests, signal: cli.signal, flag: '--from' })
  try {
    return await runEvaluation(
      {
        recordings,
        name: inputs.map(({ name }) => name).join(', '),
        at: () => (io.date?.() ?? new Date(0)).getTime(),
        onProgress: (answers) => progress.update(bytes, answers),
        onEnd: () => progress.clear(),
      },
      flags,
      cli,
    )
  } finally {
    progress.clear()
  }
}

async function findInputs(written: readonly string[], { io, signal }: Cli): Promise<readonly Input[]> {
  const { files, faults, unmatched } = await findFiles(written, { cwd: io.cwd, endings, ignore: [], signal })
  const problems = [...faults, ...unmatched.map((argument) => `no recordings in ${argument}`)]
  if (problems.length > 0) throw new UsageError(problems.join('\n'))
  return Promise.all(files.map((file) => findInput(file, io)))
}

function countBytes(input: Input, count: (bytes: number) => void): Input {
  return {
    ...input,
    open: () => {
      const source = input.open()
      async function* read(): AsyncGenerator<Uint8Array | string> {
        try {
          for await (const chunk of source as AsyncIterable<Uint8Array | string>) {
            count(chunk.length)
            yield chunk
          }
        } finally {
          source.destroy()
        }
      }
      return Readable.from(read(), { objectMode: false })
    },
  }
}
