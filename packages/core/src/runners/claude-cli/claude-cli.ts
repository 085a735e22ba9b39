import { ConfigurationError } from '../../contract/configuration-error.ts'
import { type Clock, systemClock } from '../../contract/ports.ts'
import type { CallOptions, Message, ModelEvent, Runner } from '../../engine/runner.ts'
import { asRunnerFailure, type FailureKind, RunnerFailure } from '../../engine/runner-failure.ts'
import { asMessages, defaultEchoLimit, retryMessages } from '../conversation.ts'
import { endEvent } from '../end-event.ts'
import { holdLeash, type Leash } from '../leash.ts'
import { ownEnvironment } from './environment.ts'
import { ClaudeOutput, type ClaudeResult, flattenMessages } from './output.ts'
import { ProcessPool } from './pool.ts'
import { type ProcessEnd, type RunningProcess, startProcess } from './process.ts'

/** How to start the Claude command line. */
export interface ClaudeCliSettings {
  /** The command or its path; `claude`. */
  readonly command?: string
  /** Further arguments, such as `['--model', 'sonnet']`. */
  readonly args?: readonly string[]
  readonly cwd?: string
  /** The whole environment of the process; by default what `claudeCliEnvironment` takes from that of this one. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Most milliseconds for one call; 10 min. */
  readonly timeoutMs?: number
  /** Most bytes of output, and of the error stream; 64 MiB. */
  readonly maxOutputBytes?: number
  /** Most bytes of one line of output; 16 MiB. */
  readonly maxLineBytes?: number
  /** Most lines of output; 100 000. */
  readonly maxLines?: number
  /** Most processes of this runner at a time; 8. */
  readonly maxProcesses?: number
  /** Most calls that wait for a process; more fail with status 503; 100. */
  readonly maxQueue?: number
  /** How long the process may take to end, when it is asked to and after its result; 2 s. */
  readonly graceMs?: number
  readonly clock?: Clock
}

/**
 * Talks to a model through the headless Claude command line.
 * The `result` message is the answer, so text comes in one piece at the end: what the model says between its tool calls is no part of it.
 */
export function claudeCli(settings: ClaudeCliSettings = {}): Runner {
  const { command = 'claude', args = [], cwd, env, timeoutMs = 600_000, graceMs = 2000, clock = systemClock } = settings
  const { maxOutputBytes = 64 * 1024 * 1024, maxLineBytes = 16 * 1024 * 1024, maxLines = 100_000 } = settings
  const { maxProcesses = 8, maxQueue = 100 } = settings
  checkCounts({ maxOutputBytes, maxLineBytes, maxLines, maxProcesses })
  const own = env ?? ownEnvironment()
  const pool = new ProcessPool(command, maxProcesses, maxQueue)

  async function* ask(session: string | undefined, messages: readonly Message[], options: CallOptions): AsyncGenerator<ModelEvent> {
    const output = new ClaudeOutput({ bytes: maxOutputBytes, lineBytes: maxLineBytes, lines: maxLines })
    const { text, finishReason, usage } = await finish(session, flattenMessages(messages), output, options.signal)
    if (text !== '') yield { type: 'text', text }
    const end = finishReason === undefined ? ({ finishMissing: 'usual' } as const) : { finishReason }
    yield endEvent({ session: output.session, ...end, usage })
  }

  /** Runs the process from its start to its end; nothing of it is left afterwards. */
  async function finish(session: string | undefined, input: string, output: ClaudeOutput, signal: AbortSignal): Promise<ClaudeResult> {
    const leash = holdLeash(signal, clock)
    let child: RunningProcess | undefined
    let leave = (): void => {}
    try {
      const all = ['-p', '--output-format', 'stream-json', '--verbose', ...args, ...resume(session)]
      await leash.hold(Promise.resolve())
      leave = await pool.enter(leash)
      leash.limit(timeoutMs, `${command} took longer than ${timeoutMs} ms`)
      let onLinger = (): void => {}
      const lingered = new Promise<undefined>((resolve) => {
        onLinger = () => resolve(undefined)
      })
      const onOutput = (bytes: Uint8Array): void => listen(bytes, output, leash, onLinger)
      const onErrorBytes = (count: number): void => {
        if (count > maxOutputBytes) leash.stop(failure('protocol', `wrote more than ${maxOutputBytes} bytes to its error stream`))
      }
      child = startProcess({ command, args: all, cwd, env: own, input, onOutput, onErrorBytes, graceMs, clock })
      const end = await leash.hold(Promise.race([child.ended, lingered]))
      output.end()
      if (output.excess !== undefined) throw failure('protocol', `wrote ${output.excess}`)
      return judge(end, output.result)
    } catch (thrown) {
      if (child === undefined) throw thrown
      const { kind, message, details } = asRunnerFailure(thrown)
      throw new RunnerFailure(kind, message, { ...details, stderr: child.stderr() })
    } finally {
      leash.release()
      await child?.terminate()
      leave()
    }
  }

  function listen(bytes: Uint8Array, output: ClaudeOutput, leash: Leash, onLinger: () => void): void {
    const hadResult = output.result !== undefined
    output.push(bytes)
    if (output.excess !== undefined) leash.stop(failure('protocol', `wrote ${output.excess}`))
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

function checkCounts(counts: Readonly<Record<string, number>>): void {
  const problems = Object.entries(counts).flatMap(([name, count]) =>
    Number.isSafeInteger(count) && count > 0 ? [] : [{ path: [name], message: 'must be a positive whole number' }],
  )
  if (problems.length > 0) throw new ConfigurationError(problems)
}

/** A session that looks like an option would be taken for one. */
function resume(session: string | undefined): readonly string[] {
  if (session === undefined) return []
  if (!/^\w[\w.-]{0,199}$/.test(session)) throw new RunnerFailure('protocol', 'the session id holds characters that no session id has')
  return ['--resume', session]
}
