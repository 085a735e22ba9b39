import { closeSync, writeSync } from 'node:fs'
import { resolve } from 'node:path'
import { type EnforceOptions, enforce, enforceStream, type Outcome, type TraceEvent } from '@stickler/core'
import type { Cli } from '../cli.ts'
import { buildChosen, chooseContract } from '../config/choose-contract.ts'
import type { ContractFlags } from '../config/contract-options.ts'
import { loadConfig } from '../config/files.ts'
import { UsageError } from '../errors.ts'
import { exitCode } from '../exit-code.ts'
import { isMissing, whyNot } from '../files/why-not.ts'
import { openToAppend } from '../files/write-file.ts'
import { readText } from '../inputs/inputs.ts'
import { openPorts } from '../ports/open-ports.ts'
import { safeJson } from '../terminal/printable.ts'
import { clip } from '../terminal/text.ts'
import { AnswerText } from './answer-text.ts'
import { chooseUpstream, type UpstreamFlags } from './choose-upstream.ts'
import { liveReport } from './run-progress.ts'

/** The options of `stickler run`. */
export interface RunFlags extends ContractFlags, UpstreamFlags {
  readonly stream: boolean
  readonly json?: true
  readonly raw?: true
  readonly trace?: string
  readonly root?: string
  readonly session?: string
}

/** Asks a model under a contract; resolves to the exit code. */
export async function runPrompt(written: string | undefined, flags: RunFlags, cli: Cli): Promise<number> {
  const { io } = cli
  const contract = buildChosen(await chooseContract(flags, io), cli.note)
  const config = flags.baseUrl === undefined ? await loadConfig(flags.config, io) : undefined
  const { runner, close: closeUpstream } = await chooseUpstream(flags, config, io)
  const prompt = await readPrompt(written, cli)
  const { portsFor, executorFor, close } = await openPorts(flags, io, contract)
  const answer = new AnswerText(cli.stdout, { raw: flags.raw === true })
  const tell = liveReport((line) => {
    // On a terminal, messages about an answer must not continue its last line.
    const lead = cli.stdout.isTerminal && cli.stderr.isTerminal && answer.closeLine() ? '\n' : ''
    cli.stderr.say(`${lead}${line}\n`)
  }, cli.paintErr)
  const trace = flags.trace === undefined ? undefined : openTraceFile(flags.trace, io.cwd, cli.note)
  const onEvent = (event: TraceEvent): void => {
    trace?.add(event)
    // End the answer's last line before printing the final messages.
    if (event.type !== 'run-ended') tell(event)
    else last = event
  }
  let last: TraceEvent | undefined
  const session = flags.session === undefined ? {} : { session: flags.session }
  const options: EnforceOptions = {
    contract,
    runner,
    prompt,
    ports: portsFor(),
    executor: executorFor(),
    signal: cli.signal,
    onEvent,
    ...session,
  }
  try {
    const outcome = await (flags.json ? asJson(options, cli) : flags.stream ? asStream(options, answer) : asText(options, answer))
    if (!flags.json && outcome.delivered)
      for (const call of outcome.toolCalls) cli.stderr.say(`  calls ${clip(call.name)} ${clip(call.arguments)}\n`)
    if (last) tell(last)
    cli.signal.throwIfAborted()
    return codeOf(outcome)
  } finally {
    trace?.close()
    await Promise.all([close(), closeUpstream()])
  }
}

async function readPrompt(written: string | undefined, { io, signal }: Cli): Promise<string> {
  const advice = 'give a prompt: stickler run "…", or - for standard input'
  if (written === undefined && io.stdin.isTTY) throw new UsageError(advice)
  const isGiven = written !== undefined && written !== '-'
  const text = isGiven ? written : (await readText({ name: '<stdin>', open: () => io.stdin }, signal)).text
  if (text.trim() === '') throw new UsageError(written === '-' ? 'the prompt on standard input is empty' : advice)
  return text
}

async function asStream(options: EnforceOptions, answer: AnswerText): Promise<Outcome> {
  const stream = enforceStream(options)
  for await (const piece of stream) await answer.write(piece)
  await answer.end()
  return stream.outcome
}

async function asText(options: EnforceOptions, answer: AnswerText): Promise<Outcome> {
  const outcome = await enforce(options)
  if (outcome.delivered) await answer.write(outcome.text)
  await answer.end()
  return outcome
}

async function asJson(options: EnforceOptions, { stdout }: Cli): Promise<Outcome> {
  const outcome = await enforce(options)
  const shown = outcome.delivered ? outcome : { ...outcome, text: '', toolCalls: [] }
  await stdout.write(`${safeJson(shown, 2)}\n`)
  return outcome
}

function codeOf({ status, delivered }: Outcome): number {
  if (status === 'failed') return exitCode.upstream
  return delivered && status !== 'unresolved' ? exitCode.ok : exitCode.violated
}

/** Writes the events of a run to a file as they happen, one JSON object per line. */
interface TraceFile {
  add(event: TraceEvent): void
  close(): void
}

/** Opens a file for events and appends to it; `onFault` is called once when writing fails. */
function openTraceFile(file: string, cwd: string, onFault: (why: string) => void): TraceFile {
  const descriptor = open(resolve(cwd, file), file)
  let broken = false
  return {
    add(event) {
      if (broken) return
      try {
        // Written synchronously, so that no event is lost however the process ends.
        writeSync(descriptor, `${JSON.stringify(event)}\n`)
      } catch (error) {
        broken = true
        onFault(`cannot write the trace to ${file}: ${whyNot(error)}`)
      }
    },
    close: () => closeSync(descriptor),
  }
}

function open(path: string, file: string): number {
  try {
    return openToAppend(path)
  } catch (error) {
    // A missing file would be created.
    throw new UsageError(`cannot write the trace to ${file}: ${isMissing(error) ? 'there is no such folder' : whyNot(error)}`)
  }
}
