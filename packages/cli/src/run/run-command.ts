import { type EnforceOptions, enforce, enforceStream, type Outcome, type TraceEvent } from '@stickler/core'
import type { Command } from 'commander'
import { readText } from '../check/inputs.ts'
import type { Cli } from '../cli.ts'
import { buildChosen, chooseContract } from '../config/choose-contract.ts'
import { addContractOptions, type ContractFlags } from '../config/contract-options.ts'
import { loadConfig } from '../config/files.ts'
import { exitCode } from '../exit-code.ts'
import { openPorts } from '../ports/open-ports.ts'
import { clip } from '../terminal/clip.ts'
import { safeJson } from '../terminal/printable.ts'
import { UsageError } from '../usage-error.ts'
import { AnswerText } from './answer-text.ts'
import { chooseUpstream, type UpstreamFlags } from './choose-upstream.ts'
import { liveReport } from './live.ts'
import { openTraceFile } from './trace-file.ts'

interface RunFlags extends ContractFlags, UpstreamFlags {
  readonly stream: boolean
  readonly json?: true
  readonly raw?: true
  readonly trace?: string
  readonly root?: string
  readonly session?: string
}

/** Defines `stickler run`. */
export function defineRunCommand(command: Command, cli: Cli, end: (exitCode: number) => void): void {
  command
    .description(
      'Asks a model under a contract. Text proven safe is streamed to standard output, progress to standard error.\n' +
        'Exits with 0 when the answer is delivered and keeps the contract, 1 when it breaks it or is withheld unchecked, 3 when there is no answer.',
    )
    .option('--upstream <name>', 'an upstream of the configuration; default: the first')
    .option('--base-url <url>', 'an OpenAI-compatible endpoint, such as https://api.openai.com/v1')
    .option('--model <name>', 'the model, in place of the configured one')
    .option('--key-env <variable>', 'the environment variable that holds the key for --base-url')
  addContractOptions(command)
    .option('--root <dir>', 'folder for files that the answer refers to')
    .option('--session <id>', 'the session to continue, for upstreams that keep sessions')
    .option('--no-stream', 'print the answer only when it is complete')
    .option('--json', 'print the outcome as JSON; text that was withheld is left out')
    .option('--raw', 'do not escape control characters in an answer written to a pipe or file')
    .option('--trace <file>', 'append every event of the run to a file, one JSON object per line')
    .action(async (prompt: string | undefined, flags: RunFlags) => end(await run(prompt, flags, cli)))
}

async function run(written: string | undefined, flags: RunFlags, cli: Cli): Promise<number> {
  const { io } = cli
  const contract = buildChosen(await chooseContract(flags, io))
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
