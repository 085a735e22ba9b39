import type { ToolCall } from '../answer/tool-calls.ts'
import { ConfigurationError } from '../contract/configuration-error.ts'
import { type Clock, systemClock } from '../contract/ports.ts'
import type { CallOptions, FinishReason, ModelEvent, Prompt, Runner, Usage } from '../engine/runner.ts'
import { type FailureDetails, type FailureKind, RunnerFailure } from '../engine/runner-failure.ts'
import { type CancelScope, openCancelScope } from './cancel-scope.ts'
import { endEvent } from './end-event.ts'

/** A failure as a script writes it. */
export interface ScriptedFailure extends FailureDetails {
  readonly kind: FailureKind
  readonly message?: string
}

/** One answer of a script; a plain string is an answer with that text. */
export interface ScriptedTurn {
  readonly text?: string
  /** The text in exactly these pieces, in place of `text`. */
  readonly chunks?: readonly string[]
  /** Cuts the text into pieces of so many UTF-16 units, also in the middle of a character. */
  readonly chunkSize?: number
  /** Milliseconds before each chunk. */
  readonly delayMs?: number
  readonly finishReason?: FinishReason
  readonly usage?: Usage
  readonly toolCalls?: readonly ToolCall[]
  /** The session that the next call continues. */
  readonly session?: string
  /** Fails before any text. */
  readonly failure?: ScriptedFailure
  /** Fails after the text. */
  readonly failAfterText?: ScriptedFailure
  /** Never ends after the text, until the call is aborted. */
  readonly hang?: boolean
  /** Throws this before any text, whatever it is. */
  readonly throw?: unknown
}

/** What a scripted runner was asked, and how far its caller listened. */
export interface ScriptedCall {
  readonly kind: 'run' | 'continue'
  readonly session: string | undefined
  /** What was asked at first. */
  readonly prompt: Prompt
  /** Only on `continue`. */
  readonly feedback?: string
  /** Only on `continue`: the answer that was not good enough. */
  readonly rejected?: string
  readonly stream: boolean
  readonly timeLeftMs?: number
  /** Whether the caller gave up before the end. */
  readonly aborted: boolean
  /** How many characters of the answer the caller took. */
  readonly taken: number
}

/** A runner that plays a script and remembers its calls. */
export interface ScriptedRunner extends Runner {
  readonly calls: readonly ScriptedCall[]
}

type Progress = { -readonly [K in 'aborted' | 'taken']: ScriptedCall[K] }

/** Plays answers, faults and delays in turn, for tests and demos. */
export function scripted(
  turns: readonly (string | ScriptedTurn)[],
  { clock = systemClock }: { readonly clock?: Clock } = {},
): ScriptedRunner {
  if (!Array.isArray(turns)) throw new ConfigurationError([{ message: "pass a list of answers, such as `['Hi.']`", path: [] }])
  const calls: (ScriptedCall & Progress)[] = []

  function start(asked: Omit<ScriptedCall, keyof Progress | 'stream' | 'timeLeftMs'>, options: CallOptions): AsyncIterable<ModelEvent> {
    const { stream, timeLeftMs } = options
    const call = { ...asked, stream, ...(timeLeftMs === undefined ? {} : { timeLeftMs }), aborted: false, taken: 0 }
    const turn = turns[calls.length] ?? {
      failure: {
        kind: 'crash' as const,
        message: `the script has ${turns.length} ${turns.length === 1 ? 'turn' : 'turns'}, but was called once more`,
      },
    }
    calls.push(call)
    return play(typeof turn === 'string' ? { text: turn } : turn, call, options, clock)
  }

  return {
    calls,
    run: (session, prompt, options) => start({ kind: 'run', session, prompt }, options),
    continue: (session, feedback, options) =>
      start({ kind: 'continue', session, prompt: options.original, feedback, rejected: options.rejected }, options),
  }
}

async function* play(turn: ScriptedTurn, call: Progress, options: CallOptions, clock: Clock): AsyncGenerator<ModelEvent> {
  const scope = openCancelScope(options.signal, clock)
  let isOver = false
  try {
    await scope.hold(Promise.resolve())
    for await (const text of speak(turn, options.stream, scope)) {
      call.taken += text.length
      yield { type: 'text', text }
    }
    isOver = true
    if (turn.failAfterText !== undefined) throw asFailure(turn.failAfterText)
    const { finishReason = turn.toolCalls === undefined ? 'stop' : 'tool_calls', session, usage, toolCalls } = turn
    yield endEvent({ finishReason, session, usage, toolCalls })
  } catch (thrown) {
    isOver = !options.signal.aborted
    throw thrown
  } finally {
    call.aborted = !isOver
    scope.release()
  }
}

async function* speak(turn: ScriptedTurn, stream: boolean, scope: CancelScope): AsyncGenerator<string> {
  const { delayMs = 0 } = turn
  const pieces = stream ? cut(turn) : [cut(turn).join('')]
  const failsFirst = turn.failure !== undefined || 'throw' in turn
  if (failsFirst && delayMs > 0) await scope.pause(delayMs)
  if (turn.failure !== undefined) throw asFailure(turn.failure)
  if ('throw' in turn) throw turn.throw
  for (const piece of pieces) {
    if (delayMs > 0) await scope.pause(delayMs)
    // Also without a delay: an abort between two pieces is noticed before the next one.
    else await scope.hold(Promise.resolve())
    if (piece !== '') yield piece
  }
  if (turn.hang === true) await scope.hold(new Promise(() => {}))
}

function cut({ text = '', chunks, chunkSize }: ScriptedTurn): readonly string[] {
  if (chunks !== undefined) return chunks
  if (chunkSize === undefined || !(chunkSize >= 1)) return [text]
  const size = Math.floor(chunkSize)
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) => text.slice(index * size, (index + 1) * size))
}

function asFailure({ kind, message = `scripted failure: ${kind}`, ...details }: ScriptedFailure): RunnerFailure {
  return new RunnerFailure(kind, message, details)
}
