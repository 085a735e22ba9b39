import {
  type Clock,
  ConfigurationError,
  type FailureKind,
  type ModelEvent,
  type Runner,
  RunnerFailure,
  type ToolCall,
  type Usage,
} from '@stickler/core'
import { pause, systemClock } from '@stickler/core/internal'
import type { Upstream } from '../upstream.ts'
import { runnerUpstream } from './runner-upstream.ts'

/** One answer of a script; a plain string is an answer with that text. */
export interface ScriptedAnswer {
  readonly text?: string
  /** Splits a streamed text into chunks of this many UTF-16 units; 16. */
  readonly chunkSize?: number
  /** Milliseconds before each chunk. */
  readonly delayMs?: number
  readonly finishReason?: string
  readonly toolCalls?: readonly ToolCall[]
  readonly usage?: Usage
  /** An error status instead of an answer. */
  readonly status?: number
  /** Any other failure instead of an answer. */
  readonly failure?: { readonly kind: FailureKind; readonly message?: string; readonly status?: number }
}

/** The answers of a scripted upstream, one per call, repeating from the first. */
export interface ScriptedUpstreamSettings {
  readonly name: string
  readonly answers: readonly (string | ScriptedAnswer)[]
}

/** Plays answers from the configuration in turn, for demos and trials without a provider. */
export function scriptedUpstream(
  { name, answers }: ScriptedUpstreamSettings,
  { clock = systemClock }: { readonly clock?: Clock } = {},
): Upstream {
  if (answers.length === 0) throw new ConfigurationError([{ path: ['answers'], message: 'must hold at least one answer' }])
  let calls = 0
  const next = (): ScriptedAnswer => {
    const answer = answers[calls++ % answers.length] ?? ''
    return typeof answer === 'string' ? { text: answer } : answer
  }
  const run: Runner['run'] = (_session, _prompt, { signal, stream }) => play(next(), stream, signal, clock)
  return runnerUpstream(name, { run, continue: (session, feedback, options) => run(session, feedback, options) })
}

async function* play(answer: ScriptedAnswer, stream: boolean, signal: AbortSignal, clock: Clock): AsyncGenerator<ModelEvent> {
  const { text = '', chunkSize = 16, delayMs = 0, toolCalls, usage } = answer
  const size = stream ? Math.max(1, Math.floor(chunkSize)) : Math.max(1, text.length)
  if (delayMs > 0 || signal.aborted) await pause(delayMs, signal, clock)
  throwFailure(answer)
  for (let start = 0; start < text.length; start += size) {
    if (signal.aborted || (delayMs > 0 && start > 0)) await pause(delayMs, signal, clock)
    yield { type: 'text', text: text.slice(start, start + size) }
  }
  const { finishReason = toolCalls === undefined ? 'stop' : 'tool_calls' } = answer
  yield {
    type: 'end',
    finishReason,
    usage: usage ?? { promptTokens: 0, completionTokens: 0 },
    ...(toolCalls === undefined ? {} : { toolCalls }),
  }
}

function throwFailure({ status: own, failure }: ScriptedAnswer): void {
  const status = failure?.status ?? own
  if (failure === undefined && status === undefined) return
  const { kind = 'http', message = status === undefined ? 'the script says so' : `the provider answered with status ${status}` } =
    failure ?? {}
  throw new RunnerFailure(kind, message, status === undefined ? {} : { status })
}
