import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { type Command, InvalidArgumentError } from 'commander'
import { findFiles } from '../check/find-files.ts'
import type { Cli } from '../cli.ts'
import { UsageError } from '../errors.ts'
import { findInput, type Input } from '../inputs/inputs.ts'
import { openRecordings } from '../recordings/open-recordings.ts'
import { ProgressBar } from '../terminal/progress-bar.ts'
import { wholeNumber } from '../whole-number.ts'
import { addEvaluationOptions, type EvaluationFlags } from './evaluation-options.ts'
import { openCallJournal } from './generation/call-journal.ts'
import { openGeneration } from './generation/generate.ts'
import { readPrompts } from './generation/prompts.ts'
import { runEvaluation } from './run-evaluation.ts'

/** The command line options of `stickler eval`. */
export interface EvalFlags extends EvaluationFlags {
  readonly from?: string
  readonly requests?: string
  readonly prompts?: string
  readonly upstream?: readonly string[]
  readonly repeat?: number
  readonly budgetUsd?: number
}

/** Adds the options of `stickler eval`. */
export function addEvalOptions(command: Command): Command {
  return addEvaluationOptions(command)
    .option('--from <format>', 'the format of the recordings, if it cannot be told from them')
    .option('--requests <file>', 'the requests of a batch, joined with its answers')
    .option('--prompts <file>', 'make the answers: put these prompts to --upstream, one {"prompt"} or {"messages"} per line')
    .option('--upstream <names>', 'upstreams of the configuration that answer --prompts, comma-separated', readNames)
    .option('--repeat <number>', 'how often each prompt is put to each upstream', wholeNumber(1, 1000))
    .option('--budget-usd <dollars>', 'make no further call when so much is spent', readDollars)
}

function readNames(written: string): readonly string[] {
  const names = written.split(',').map((name) => name.trim())
  if (names.some((name) => name === '') || new Set(names).size < names.length)
    throw new InvalidArgumentError('Write names such as small,large, each once.')
  return names
}

function readDollars(written: string): number {
  const dollars = /^\d{1,9}(?:\.\d{1,9})?$/.test(written) ? Number(written) : Number.NaN
  if (dollars > 0) return dollars
  throw new InvalidArgumentError('Write an amount such as 2.50.')
}

const endings = ['.jsonl', '.ndjson', '.json']

/** Evaluates a contract on recorded answers; resolves to the exit code. */
export async function evalRecordings(files: readonly string[], flags: EvalFlags, cli: Cli): Promise<number> {
  const { io } = cli
  if (flags.prompts !== undefined) return evalPrompts(flags.prompts, files, flags, cli)
  const needless = (['upstream', 'repeat', 'budgetUsd'] as const).find((name) => flags[name] !== undefined)
  if (needless !== undefined) throw new UsageError(`--${needless === 'budgetUsd' ? 'budget-usd' : needless} needs --prompts`)
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
        share: () => (total ? Math.min(1, bytes / total) : undefined),
        onEnd: () => progress.clear(),
      },
      flags,
      cli,
    )
  } finally {
    progress.clear()
  }
}

/** Puts prompts to models and evaluates the contract on what they answer; resolves to the exit code. */
async function evalPrompts(file: string, files: readonly string[], flags: EvalFlags, cli: Cli): Promise<number> {
  const { io } = cli
  if (files.length > 0) throw new UsageError('--prompts makes the answers, so there are no recordings to name')
  if (flags.queue !== undefined || flags.queueEnv !== undefined) throw new UsageError('--prompts and --queue exclude each other')
  if (flags.upstream === undefined) throw new UsageError('--prompts needs --upstream NAME, the models to ask')
  const prompts = await readPrompts(await findInput(file, io))
  const calls = prompts.length * flags.upstream.length * (flags.repeat ?? 1)
  const progress = new ProgressBar(cli.stderr, io.now, calls, 'files')
  return runEvaluation(
    {
      async generate({ config, contracts, judges, priceOf }) {
        const journal = await openCallJournal(resolve(io.cwd, '.stickler', 'calls.jsonl'), { reuse: flags.cache })
        try {
          const generation = await openGeneration(prompts, flags, contracts, { cli, config, judges, journal, priceOf, file })
          return { ...generation, closeJournal: journal.close }
        } catch (error) {
          journal.close()
          throw error
        }
      },
      name: file,
      at: () => (io.date?.() ?? new Date(0)).getTime(),
      onProgress: (answers) => progress.update(answers, answers),
      onEnd: () => progress.clear(),
    },
    flags,
    cli,
  ).finally(() => progress.clear())
}

async function findInputs(written: readonly string[], { io, signal }: Cli): Promise<readonly Input[]> {
  const { files, faults, unmatched } = await findFiles(written, { cwd: io.cwd, endings, ignore: [], signal })
  const problems = [...faults, ...unmatched.map((argument) => `no recordings in ${argument}`)]
  if (problems.length > 0) throw new UsageError(problems.join('\n'))
  return Promise.all(files.map((file) => findInput(file, io)))
}

function countBytes(input: Input, count: (bytes: number) => void): Input {
  async function* read(): AsyncGenerator<Uint8Array | string> {
    for await (const chunk of input.open() as AsyncIterable<Uint8Array | string>) {
      count(chunk.length)
      yield chunk
    }
  }
  return { ...input, open: () => Readable.from(read(), { objectMode: false }) }
}
