import {
  type Clock,
  ConfigurationError,
  type FailureKind,
  type ModelEvent,
  type Prompt,
  type Runner,
  RunnerFailure,
  type ToolCall,
  type Usage,
} from '@stickler/core'
import { contentText, pause, systemClock } from '@stickler/core/internal'
import { type Price, priced } from '@stickler/core/internal/apis'
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
  /** The text that a message of the request must have. */
  readonly asked?: string
  /** Any other failure instead of an answer. */
  readonly failure?: { readonly kind: FailureKind; readonly message?: string; readonly status?: number }
}

/** The answers of a scripted upstream, one per call, repeating from the first. */
export interface ScriptedUpstreamSettings {
  readonly name: string
  readonly answers: readonly (string | ScriptedAnswer)[]
  /** What its tokens cost. */
  readonly price?: Price
}

/** Plays answers from the configuration in turn, for demos and trials without a provider. */
export function scriptedUpstream(settings: ScriptedUpstreamSettings, ports: { readonly clock?: Clock } = {}): Upstream {
  return runnerUpstream(settings.name, scriptedRunner(settings, ports))
}

/** Plays answers in turn: those for what was asked, if there are any, or else those for any request. */
export function scriptedRunner(
  { answers, price }: Omit<ScriptedUpstreamSettings, 'name'>,
  { clock = systemClock }: { readonly clock?: Clock } = {},
): Runner {
  if (answers.length === 0) throw new ConfigurationError([{ path: ['answers'], message: 'must hold at least one answer' }])
  const turns = new Map<string | undefined, Turns>()
  for (const answer of answers) {
    const written: ScriptedAnswer = typeof answer === 'string' ? { text: answer } : answer
    const given = written.usage === undefined ? written : { ...written, usage: priced(written.usage, price) }
    const known = turns.get(given.asked)
    if (known === undefined) turns.set(given.asked, new Turns(given))
    else known.add(given)
  }
  const next = (prompt: Prompt): ScriptedAnswer => {
    const found = turns.get(askedIn(prompt, [...turns.keys()]))
    if (found === undefined) throw new RunnerFailure('crash', 'the script has no answer to this request')
    return found.next()
  }
  return {
    run: (_session, prompt, { signal, stream }) => play(next(prompt), stream, signal, clock),
    continue: (_session, _feedback, { signal, stream, original }) => play(next(original), stream, signal, clock),
  }
}

/** Answers that repeat from the first. */
class Turns {
  readonly #answers: ScriptedAnswer[]
  #count = 0

  constructor(first: ScriptedAnswer) {
    this.#answers = [first]
  }

  add(answer: ScriptedAnswer): void {
    this.#answers.push(answer)
  }

  next(): ScriptedAnswer {
    return this.#answers[this.#count++ % this.#answers.length] as ScriptedAnswer
  }
}

/** The text that the latest message with any of them has. */
function askedIn(prompt: Prompt, texts: readonly (string | undefined)[]): string | undefined {
  const messages = typeof prompt === 'string' ? [prompt] : prompt.map(({ content }) => contentText(content))
  for (const message of messages.toReversed()) {
    const found = texts.find((text) => text !== undefined && message.includes(text))
    if (found !== undefined) return found
  }
  return undefined
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
