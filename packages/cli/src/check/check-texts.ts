import { realpath } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { Answer, type Certificate, type CheckOptions, type Contract, check, repair, type Settled, settle } from '@stickler/core'
import { repairClasses } from '@stickler/core/internal'
import { isWithin, readRegularBytes } from '@stickler/node/internal/files'
import { UsageError } from '../errors.ts'
import { whyNot } from '../files/why-not.ts'
import { replaceFile } from '../files/write-file.ts'
import { type Input, type ReadText, readText } from '../inputs/inputs.ts'
import { largestText } from '../inputs/limits.ts'
import type { Checked, FileResult, Fix, Proposal } from '../reports/file-result.ts'
import { findSecrets } from '../reports/secrets.ts'
import type { CheckJob } from './check-job.ts'
import { inOrder } from './in-order.ts'

const byteOrderMark = '\ufeff'

/** The repaired text of a file, with its byte order mark; undefined when there is nothing to repair, or the reason why it cannot be repaired. */
async function repairedText(
  { answer, settled }: Checked,
  read: ReadText,
  contract: Contract,
  options: CheckOptions,
): Promise<Fix | undefined> {
  const { text } = answer
  if (settled.status !== 'repaired' || settled.text === text) return undefined
  if (!settled.delivered) return { kind: 'refused', reason: 'the contract does not deliver the repaired text' }
  if (read.damaged) return { kind: 'refused', reason: 'it is not UTF-8' }
  if (settled.toolCalls.length !== answer.toolCalls.length)
    return { kind: 'refused', reason: 'tool calls in the text cannot be kept in a file' }
  const mark = read.hasMark ? byteOrderMark : ''
  for (const after of asInFile(text, settled.text)) {
    // Check the text exactly as it will be read back.
    const again = await settle(contract, new Answer(after), options)
    if (again.status === 'valid') return { kind: 'proposed', before: mark + text, after: mark + after }
  }
  return { kind: 'refused', reason: 'the repaired text does not keep the contract when it is checked again' }
}

/** The repaired text with the file's line breaks and final newline, where the contract allows that; otherwise as repaired. */
function asInFile(text: string, repaired: string): readonly string[] {
  const isWindows = /\r\n/.test(text) && !/(?:^|[^\r])\n/.test(text)
  const broken = isWindows ? repaired.replace(/\r?\n/g, '\r\n') : repaired
  const ended = /[\r\n]$/.test(text) && !/[\r\n]$/.test(broken) ? broken + (isWindows ? '\r\n' : '\n') : broken
  return [...new Set([ended, broken, repaired])]
}

/** Replaces a file atomically, unless it has changed since it was read or a link leads elsewhere. */
export async function writeFix(file: string, fix: Extract<Fix, { kind: 'proposed' }>, cwd: string): Promise<Fix> {
  const path = resolve(cwd, file)
  try {
    const folder = await realpath(dirname(path))
    if (isWithin(path, cwd) && !isWithin(folder, await realpath(cwd)))
      throw new UsageError('a symbolic link in its path leads outside the current folder')
    const place = resolve(folder, basename(path))
    const expected = Buffer.from(fix.before)
    await replaceFile(place, fix.after, async () => {
      if (!expected.equals(await readRegularBytes(place, largestText))) throw new UsageError('it changed during the check')
    })
    return { kind: 'written' }
  } catch (error) {
    return { kind: 'refused', reason: whyNot(error) }
  }
}

/** The most files, and bytes of them, checked concurrently. A large file is checked alone, because the time limits of the others keep running meanwhile. */
const bounds = { items: 4, weight: 1024 * 1024, weigh: ({ size }: Input) => size ?? 0 }

/** What to do with results. */
interface TextsOptions {
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
  for await (const { input, judged } of inOrder(each(job.inputs), judge, bounds)) {
    bytes += input.size ?? 0
    progress.update(bytes, 0)
    if (judged instanceof UsageError) {
      tally.addFault()
      cli.note(judged.message)
      await options.deliverFault(judged.message)
      continue
    }
    const { damaged, ...result } = judged
    if (damaged) cli.note(`${input.name} is not valid UTF-8; invalid bytes were read as U+FFFD`)
    const failed = tally.add(result.settled)
    if (result.fix !== undefined && options.fix === 'write' && input.file !== undefined) tally.addFix(result.fix.kind === 'written')
    await options.deliver({ ...result, failed })
  }
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

/** What each validator would repair in an answer that was not repaired, ignoring what the contract allows. */
async function findProposals(contract: Contract, answer: Answer, settled: Settled, options: CheckOptions): Promise<readonly Proposal[]> {
  const { validators, policy } = contract
  const open: Contract = { ...contract, policy: { ...policy, allow: [...repairClasses] } }
  // What is edited in any case is not written either, as long as something else is wrong or unknown.
  if (settled.status === 'unchecked') return settled.repairs.map((certificate) => ({ certificate, why: 'unchecked' }))
  if (settled.status !== 'unresolved') return []
  const proposals: Proposal[] = []
  for (const { name, prepared } of validators) {
    if (!prepared.repair || !settled.found.issues.some((issue) => issue.validator === name && issue.severity === 'error')) continue
    // Each validator alone: a repair counts only when nothing else is wrong.
    const alone = { ...options, only: [name] }
    const { certificates } = await repair(open, answer, await check(open, answer, alone), { ...alone, allow: repairClasses })
    for (const certificate of certificates) proposals.push({ certificate, why: reasonFor(certificate, settled, policy) })
  }
  return proposals
}

function reasonFor(
  certificate: Certificate,
  { repairs }: Settled,
  { mode, repair: order, allow, lastResort }: Contract['policy'],
): Proposal['why'] {
  if (mode === 'shadow') return 'shadow'
  if (order === 'never') return 'never'
  // Some edits are made whatever classes are allowed, such as those of `redact`.
  const isMade = repairs.some(({ rule, span }) => rule === certificate.rule && span.start === certificate.span.start)
  return isMade || [...(allow ?? ['lossless']), ...lastResort].includes(certificate.class) ? 'other-errors' : 'class'
}
