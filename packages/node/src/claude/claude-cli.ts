import {
  type CallOptions,
  type Clock,
  ConfigurationError,
  type ContinueOptions,
  type FailureKind,
  type Message,
  type ModelEvent,
  type ModelEvents,
  type Prompt,
  type Runner,
  RunnerFailure,
} from '@stickler/core'
import {
  asMessages,
  asRunnerFailure,
  type CancelScope,
  contentText,
  defaultEchoLimit,
  endEvent,
  type Fields,
  HeldBack,
  isFields,
  openCancelScope,
  retryMessages,
  systemClock,
} from '@stickler/core/internal'
import { readToolCalls } from '@stickler/core/validators'
import { childRedactor } from '../workers/child-output.ts'
import { type ProcessEnd, type RunningProcess, startProcess } from '../workers/process.ts'
import { openPlaces } from '../workers/worker-pool.ts'
import { ownEnvironment } from './environment.ts'
import { ClaudeOutput, type ClaudeResult, isSessionId } from './output.ts'

const roles = ['system', 'developer', 'user', 'assistant', 'tool', 'function'] as const

/** What a model overlooks in a name: control characters and those that nobody sees. */
const unseen = '\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}'
const names = roles.map((role) => [...role].join(`[${unseen}]*`)).join('|')

/** The beginning of a role's tag, also with spaces before its name and invisible characters inside. */
// backtracks: from one < it reads only up to the next one
const tag = new RegExp(`<(?=[\\s/${unseen}]*(?:${names})(?![\\p{L}\\p{N}_-]))`, 'giu')

/**
 * Writes a conversation as one text, for a command that reads a text: each turn in the tag of its role.
 * Tags in what somebody said are escaped, so that nobody can speak in another's role. A single turn of a user needs no tag.
 */
export function writeTranscript(messages: readonly Message[]): string {
  const texts = messages.map((message, index) => textOf(message.content, index) + callsOf(message))
  const [first = ''] = texts
  if (messages.length === 1 && messages[0]?.role === 'user' && first.search(tag) === -1) return first
  return texts.map((text, index) => inTag(messages[index]?.role, text)).join('\n\n')
}

function inTag(given: string | undefined, text: string): string {
  // A role that nobody knows must not become a tag of its own making.
  const role = roles.find((known) => known === given) ?? 'user'
  return `<${role}>\n${text.replace(tag, '&lt;')}\n</${role}>`
}

/** Leaving out what is not text would answer another question. */
function textOf(content: Message['content'], index: number): string {
  const at = Array.isArray(content) ? content.findIndex((part) => isFields(part) && !isText(part)) : -1
  if (!Array.isArray(content) || at === -1) return contentText(content)
  const message = `messages[${index}].content[${at}] is not text; the Claude command line reads only text`
  throw new RunnerFailure('http', message, { status: 400, body: JSON.stringify({ error: { message } }) })
}

/** What an assistant called, without which the results behind it answer nothing; on one line, so that it cannot end its fence. */
function callsOf(message: Message): string {
  const calls = message.role === 'assistant' ? readToolCalls(message).map(({ name, arguments: given }) => ({ name, arguments: given })) : []
  return calls.length === 0 ? '' : `\n\`\`\`json\n${JSON.stringify({ tool_calls: calls })}\n\`\`\``
}

/** Members that are more than text, whatever the part calls itself. */
const media = ['image_url', 'input_audio', 'audio', 'file', 'image', 'source']

function isText(part: Fields): boolean {
  const { type, text } = part
  if (media.some((name) => isFields(part[name]) || typeof part[name] === 'string')) return false
  return type === 'refusal' || (typeof text === 'string' && (type === undefined || type === 'text'))
}

/** How to start the Claude command line. */
export interface ClaudeCliSettings {
  /** The command or its path; `claude`. */
  readonly command?: string
  /** Additional arguments, such as `['--model', 'sonnet']`. */
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
  /** How long the process may take to exit, when it is asked to and after its result; 2 s. */
  readonly graceMs?: number
  readonly clock?: Clock
  /**
   * Called after every process has ended, with its error stream, and whether the session to resume
   * no longer existed.
   */
  readonly onProcess?: (report: ProcessReport) => void
}

/** What one process yielded beside its answer. */
export interface ProcessReport {
  /** The session to resume, when the process succeeded and named one. */
  readonly session?: string
  /** The end of its error stream, with keys masked. */
  readonly stderr: string
  /** How it failed, if it did. */
  readonly exitCode?: number
  /** Set when the session to resume no longer exists, so that the transcript is sent instead. */
  readonly forgotten?: true
}

/** Additional options of one call of the Claude command line. */
export interface ClaudeCallOptions extends CallOptions {
  /** The folder of this call, where the settings name none. */
  readonly cwd?: string
  /** The prompt for a new session when the one to resume no longer exists. */
  readonly transcript?: Prompt
  /** For whom the call is: callers that wait for a process take turns. */
  readonly caller?: string
  /** Called when a process has ended, before its answer is returned. */
  readonly onProcess?: (report: ProcessReport) => void
}

/** The runner of the Claude command line. */
export interface ClaudeRunner extends Runner {
  run(session: string | undefined, prompt: Prompt, options: ClaudeCallOptions): ModelEvents
  continue(session: string | undefined, feedback: string, options: ContinueOptions & ClaudeCallOptions): ModelEvents
}

/**
 * Talks to a model through the headless Claude command line.
 * The `result` message is the answer, so text comes in one piece at the end: what the model says between its tool calls is no part of it.
 */
export function claudeCli(settings: ClaudeCliSettings = {}): ClaudeRunner {
  const { command = 'claude', args = [], cwd, env, timeoutMs = 600_000, graceMs = 2000, clock = systemClock } = settings
  const { maxOutputBytes = 64 * 1024 * 1024, maxLineBytes = 16 * 1024 * 1024, maxLines = 100_000 } = settings
  const { maxProcesses = 8, maxQueue = 100 } = settings
  checkCounts({ maxOutputBytes, maxLineBytes, maxLines, maxProcesses })
  const own = env ?? ownEnvironment()
  const redact = childRedactor(own)
  const pool = openPlaces(maxProcesses, maxQueue, () => new ProcessesBusy(command, maxProcesses, maxQueue))

  async function* ask(session: string | undefined, messages: readonly Message[], options: ClaudeCallOptions): AsyncGenerator<ModelEvent> {
    const { transcript } = options
    const output = newOutput()
    try {
      const result = await finish(session, writeTranscript(messages), output, options)
      if (result.text !== '') yield { type: 'text', text: result.text }
      const end = result.finishReason === undefined ? ({ finishMissing: 'usual' } as const) : { finishReason: result.finishReason }
      yield endEvent({ session: output.session, ...end, usage: result.usage })
    } catch (thrown) {
      if (transcript === undefined || !(thrown instanceof SessionForgotten)) throw thrown
      yield* ask(undefined, asMessages(transcript), options)
    }
  }

  function newOutput(): ClaudeOutput {
    return new ClaudeOutput({ bytes: maxOutputBytes, lineBytes: maxLineBytes, lines: maxLines })
  }

  /** Runs the process from its start to its end; nothing of it is left afterwards. */
  async function finish(
    session: string | undefined,
    input: string,
    output: ClaudeOutput,
    { signal, cwd: folder, caller, onProcess = settings.onProcess }: ClaudeCallOptions,
  ): Promise<ClaudeResult> {
    const scope = openCancelScope(signal, clock)
    let child: RunningProcess | undefined
    let leave = (): void => {}
    try {
      const all = ['-p', '--output-format', 'stream-json', '--verbose', ...args, ...resume(session)]
      await scope.hold(Promise.resolve())
      leave = (await pool.enter({ caller, stop: scope.signal })).leave
      scope.limit(timeoutMs, `${command} took longer than ${timeoutMs} ms`)
      let onLinger = (): void => {}
      const lingered = new Promise<undefined>((resolve) => {
        onLinger = () => resolve(undefined)
      })
      const onOutput = (bytes: Uint8Array): void => listen(bytes, output, scope, onLinger)
      const onErrorBytes = (count: number): void => {
        if (count > maxOutputBytes) scope.stop(failure('protocol', `wrote more than ${maxOutputBytes} bytes to its error stream`))
      }
      child = startProcess({ command, args: all, cwd: cwd ?? folder, env: own, input, onOutput, onErrorBytes, graceMs, clock })
      const end = await scope.hold(Promise.race([child.ended, lingered]))
      output.end()
      if (output.excess !== undefined) throw failure('protocol', `wrote ${output.excess}`)
      const result = judge(end, output.result)
      onProcess?.({ stderr: child.stderr(), ...(output.session === undefined ? {} : { session: output.session }) })
      return result
    } catch (thrown) {
      if (child === undefined) throw thrown
      const { kind, message, details } = asRunnerFailure(thrown)
      const stderr = child.stderr()
      const isForgotten = session !== undefined && kind === 'exit' && (forgotten.test(stderr) || forgotten.test(message))
      const { exitCode } = details
      onProcess?.({ stderr, ...(exitCode === undefined ? {} : { exitCode }), ...(isForgotten ? { forgotten: true } : {}) })
      throw new (isForgotten ? SessionForgotten : RunnerFailure)(kind, message, { ...details, stderr })
    } finally {
      scope.release()
      await child?.terminate()
      leave()
    }
  }

  function listen(bytes: Uint8Array, output: ClaudeOutput, scope: CancelScope, onLinger: () => void): void {
    const hadResult = output.result !== undefined
    output.push(bytes)
    if (output.excess !== undefined) scope.stop(failure('protocol', `wrote ${output.excess}`))
    // It is known to hang at times after its result: the answer is there, so it is only given a moment to end by itself.
    if (!hadResult && output.result !== undefined) scope.after(graceMs, onLinger)
  }

  function judge(end: ProcessEnd | undefined, result: ClaudeResult | undefined): ClaudeResult {
    const said = result?.error === undefined ? '' : `: ${redact(result.error).slice(0, 300)}`
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
    continue(session, feedback, options) {
      // Without a session to resume, the command must be told again what it was asked.
      const transcript = options.transcript ?? retryMessages(feedback, options, defaultEchoLimit)
      return ask(session, session === undefined ? asMessages(transcript) : asMessages(feedback), { ...options, transcript })
    },
  }
}

/** Thrown when all processes are busy and the queue is full: nothing was started. */
export class ProcessesBusy extends HeldBack {
  constructor(command: string, processes: number, queue: number) {
    const detail = `all ${processes} processes of ${command} are busy and ${queue} calls are queued`
    super('http', detail, { status: 503, code: 'busy', retryAfterMs: 5000 })
  }
}

/** Thrown when the command does not know the session that it was to resume. */
class SessionForgotten extends RunnerFailure {}

/** How the command says so, on its error stream and among the errors of its result. */
// backtracks: at most the 8192 characters that are kept of an error stream
const forgotten = /no conversation found|session id \S{1,200} is already in use/i

function checkCounts(counts: Readonly<Record<string, number>>): void {
  const problems = Object.entries(counts).flatMap(([name, count]) =>
    Number.isSafeInteger(count) && count > 0 ? [] : [{ path: [name], message: 'must be a positive whole number' }],
  )
  if (problems.length > 0) throw new ConfigurationError(problems)
}

function resume(session: string | undefined): readonly string[] {
  if (session === undefined) return []
  if (!isSessionId(session)) throw new RunnerFailure('protocol', 'the session id contains invalid characters')
  return ['--resume', session]
}

/** Asks the command for its version, to see whether it can be run; rejects with a RunnerFailure when it cannot. */
export async function checkClaudeCli(
  settings: Pick<ClaudeCliSettings, 'command' | 'cwd' | 'env' | 'graceMs' | 'clock'>,
  signal: AbortSignal,
): Promise<void> {
  const { command = 'claude', cwd, env = ownEnvironment(), graceMs = 2000, clock = systemClock } = settings
  const scope = openCancelScope(signal, clock)
  let child: RunningProcess | undefined
  try {
    await scope.hold(Promise.resolve())
    const ignore = (): void => {}
    child = startProcess({ command, args: ['--version'], cwd, env, input: '', onOutput: ignore, onErrorBytes: ignore, graceMs, clock })
    const { code, signal: by } = await scope.hold(child.ended)
    if (code === 0) return
    const how = code === null ? `was ended by ${by}` : `ended with exit code ${code} when asked for its version`
    throw new RunnerFailure('exit', `${command} ${how}`, code === null ? {} : { exitCode: code })
  } finally {
    scope.release()
    await child?.terminate()
  }
}
