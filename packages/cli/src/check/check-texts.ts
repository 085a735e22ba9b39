import { Answer, type Contract, settle } from '@stickler/core'
import { UsageError } from '../errors.ts'
import type { FileResult } from '../reports/file-result.ts'
import { findSecrets } from '../reports/secrets.ts'
import type { CheckJob } from './check-job.ts'
import { repairedText, writeFix } from './fix-file.ts'
import { inOrder } from './in-order.ts'
import { type Input, readText } from './inputs.ts'
import { findProposals } from './proposals.ts'

/** The most files, and bytes of them, checked concurrently. A large file is checked alone, because the time limits of the others keep running meanwhile. */
const bounds = { items: 4, weight: 1024 * 1024, weigh: ({ size }: Input) => size ?? 0 }

/** What to do with results. */
export interface TextsOptions {
  readonly contract: Contract
  /** Whether repairs are written or only shown. */
  readonly fix: 'no' | 'show' | 'write'
  /** Whether an empty standard input is an answer like any other. */
  readonly allowEmpty: boolean
  deliver(result: FileResult): Promise<void>
  /** Called with a message when an input cannot be read. */
  deliverFault(message: string): Promise<void>
}

type Judged = Omit<FileResult, 'failed'> & { readonly damaged: boolean }

/** Checks one answer per input, several at a time, and delivers results in order; an unreadable input does not stop the others. */
export async function checkTexts(job: CheckJob, options: TextsOptions): Promise<void> {
  const { cli, tally, progress } = job
  let bytes = 0
  const judge = async (input: Input): Promise<{ readonly input: Input; readonly judged: Judged | UsageError }> => {
    try {
      return { input, judged: await judgeInput(input, job, options) }
    } catch (error) {
      if (cli.signal.aborted || !(error instanceof UsageError)) throw error
      return { input, judged: error }
    }
  }
  await inOrder(
    each(job.inputs),
    judge,
    async ({ input, judged }) => {
      bytes += input.size ?? 0
      progress.update(bytes, 0)
      if (judged instanceof UsageError) {
        tally.addFault()
        cli.note(judged.message)
        return options.deliverFault(judged.message)
      }
      const { damaged, ...result } = judged
      if (damaged) cli.note(`${input.name} is not valid UTF-8; invalid bytes were read as U+FFFD`)
      const failed = tally.add(result.settled)
      if (result.fix !== undefined && options.fix === 'write' && input.file !== undefined) tally.addFix(result.fix.kind === 'written')
      await options.deliver({ ...result, failed })
    },
    bounds,
  )
}

async function* each(inputs: readonly Input[]): AsyncGenerator<Input> {
  yield* inputs
}

async function judgeInput(
  input: Input,
  { cli, portsFor, executorFor }: CheckJob,
  { contract, fix, allowEmpty }: TextsOptions,
): Promise<Judged> {
  const started = cli.io.now()
  const read = await readText(input, cli.signal)
  const answer = new Answer(read.text)
  const options = { context: { file: input.name }, ports: portsFor(), executor: executorFor(), signal: cli.signal }
  const settled = await settle(contract, answer, options)
  cli.signal.throwIfAborted()
  // What was to write the answer has failed: that must not pass as a valid one.
  if (input.file === undefined && read.text === '' && settled.issues.length === 0 && !allowEmpty)
    throw new UsageError('standard input is empty, so there is no answer to check; --allow-empty accepts that')
  const secrets = await findSecrets(contract, answer, settled.found, options)
  const proposals = (await findProposals(contract, answer, settled, options)).map(({ certificate, why }) => ({
    certificate: secrets.hideIn(certificate),
    why,
  }))
  const checked = { name: input.name, answer, settled: secrets.hideInSettled(settled), proposals, secrets }
  const proposed = await repairedText(checked, read, contract, options)
  const written =
    proposed?.kind === 'proposed' && fix === 'write' && input.file !== undefined
      ? await writeFix(input.file, proposed, cli.io.cwd)
      : proposed
  return {
    ...checked,
    damaged: read.damaged,
    ms: cli.io.now() - started,
    ...(input.file === undefined ? {} : { file: input.file }),
    isFixable: input.file !== undefined && (written?.kind === 'written' || written?.kind === 'proposed'),
    ...(written === undefined || fix === 'no' ? {} : { fix: written }),
  }
}
