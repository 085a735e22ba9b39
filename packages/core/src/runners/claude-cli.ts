import { type Clock, systemClock } from '../contract/ports.ts'
import type { CallOptions, Message, ModelEvent, Runner } from '../engine/runner.ts'
import { asRunnerFailure, type FailureKind, RunnerFailure } from '../engine/runner-failure.ts'
import { ClaudeOutput, type ClaudeResult, flattenMessages } from './claude-cli-output.ts'
import { type ProcessEnd, type RunningProcess, startProcess } from './claude-cli-process.ts'
import { asMessages, defaultEchoLimit, retryMessages } from './conversation.ts'
import { endEvent } from './end-event.ts'
import { holdLeash, type Leash } from './leash.ts'

/** How to start the Claude command line. */
export interface ClaudeCliSettings {
  /** The command or its path; `claude`. */
  readonly command?: string
  /** Further arguments, such as `['--model', 'sonnet']`. */
  readonly args?: readonly string[]
  readonly cwd?: string
  /** The whole environment of the process, in place of this one's. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Most milliseconds for one call; 10 min. */
  readonly timeoutMs?: number
  readonly maxOutputBytes?: number
  /** How long the process may take to end, when it is asked to and after its result; 2 s. */
  readonly graceMs?: number
  readonly clock?: Clock
}

/**
 * Talks to a model through the headless Claude command line.
 * The `result` message is the answer, so text comes in one piece at the end: what the model says between its tool calls is no part of it.
 */
export function claudeCli(settings: ClaudeCliSettings = {}): Runner {
  const { command = 'claude', args = [], cwd, env, timeoutMs = 600_000, maxOutputBytes = 64 * 1024 * 1024 } = settings
  const { graceMs = 2000, clock = systemClock } = settings

  async function* ask(session: string | undefined, messages: readonly Message[], options: CallOptions): AsyncGenerator<ModelEvent> {
    const output = new ClaudeOutput()
    const { text, finishReason, usage } = await finish(session, flattenMessages(messages), output, options.signal)
    if (text !== '') yield { type: 'text', text }
    yield endEvent({ session: output.session, finishReason, usage })
  }

  /** Runs the process from its start to its end; nothing of it is left afterwards. */
  async function finish(session: string | undefined, input: string, output: ClaudeOutput, signal: AbortSignal): Promise<ClaudeResult> {
    const leash = holdLeash(signal, clock)
    let child: RunningProcess | undefined
    try {
      const all = ['-p', '--output-format', 'stream-json', '--verbose', ...args, ...resume(session)]
      await leash.hold(Promise.resolve())
      leash.limit(timeoutMs, `${command} took longer than ${timeoutMs} ms`)
      let onLinger = (): void => {}
      const lingered = new Promise<undefined>((resolve) => {
        onLinger = () => resolve(undefined)
      })
      const onOutput = (bytes: Uint8Array): void => listen(bytes, output, leash, onLinger)
      child = startProcess({ command, args: all, cwd, env, input, onOutput, graceMs, clock })
      const end = await leash.hold(Promise.race([child.ended, lingered]))
      output.end()
      return judge(end, output.result)
    } catch (thrown) {
      const { kind, message, details } = asRunnerFailure(thrown)
      throw new RunnerFailure(kind, message, child === undefined ? details : { ...details, stderr: child.stderr() })
    } finally {
      leash.release()
      await child?.terminate()
    }
  }

  function listen(bytes: Uint8Array, output: ClaudeOutput, leash: Leash, onLinger: () => void): void {
    const hadResult = output.result !== undefined
    output.push(bytes)
    if (output.size > maxOutputBytes) leash.stop(failure('protocol', `wrote more than ${maxOutputBytes} bytes`))
    // It is known to hang at times after its result: the answer is there, so it is only given a moment to end by itself.
    if (!hadResult && output.result !== undefined) leash.after(graceMs, onLinger)
  }

  function judge(end: ProcessEnd | undefined, result: ClaudeResult | undefined): ClaudeResult {
    const said = result?.error === undefined ? '' : `: ${result.error}`
    if (end !== undefined && end.code === null) throw failure('exit', `was ended by ${end.signal ?? 'a signal'}${said}`)
    if (end !== undefined && end.code !== 0) throw failure('exit', `ended with exit code ${end.code}${said}`, end.code ?? undefined)
    if (result === undefined) throw failure('protocol', 'ended without a result message')
    if (result.error !== undefined) throw failure('exit', `reported an error${said}`, end?.code ?? undefined)
    return result
  }

  function failure(kind: FailureKind, what: string, exitCode?: number): RunnerFailure {
    return new RunnerFailure(kind, `${command} ${what}`, exitCode === undefined ? {} : { exitCode })
  }

  return {
    run: (session, prompt, options) => ask(session, asMessages(prompt), options),
    continue: (session, feedback, options) =>
      // Without a session to resume, the command must be told again what it was asked.
      ask(session, session === undefined ? retryMessages(feedback, options, defaultEchoLimit) : asMessages(feedback), options),
  }
}

/** A session that looks like an option would be taken for one. */
function resume(session: string | undefined): readonly string[] {
  if (session === undefined) return []
  if (!/^\w[\w.-]{0,199}$/.test(session)) throw new RunnerFailure('protocol', 'the session id holds characters that no session id has')
  return ['--resume', session]
}
