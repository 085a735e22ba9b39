import type { CallOptions, ContinueOptions, Message, ModelEvent, ModelEvents, Prompt, Runner, Usage } from '@stickler/core'
import { type AnswerFormat, asMessages, mostFormatBytes, placeSchema, retryMessages } from '@stickler/core/runners'
import { type ChatRequest, type ChoiceEnd, type ChoiceEvent, saidBytes } from '@stickler/core/wire'
import type { Mutable } from '../mutable.ts'
import { readWhole } from '../upstreams/transport/read-whole.ts'
import type { ChoiceEvents, Continuation, UpstreamCall } from '../upstreams/upstream.ts'
import { Bill, type PaidShare } from './budgets/bill.ts'
import { withoutLimits } from './budgets/completion-limit.ts'
import { promptTokensOf, sentTokensOf, tokensOfBytes } from './budgets/prompt-tokens.ts'
import { retryContinuation } from './conversation.ts'

/** Starts calls for one request. */
export interface CallStarter {
  /** The bill of the first call. */
  readonly bill: Bill
  /** What calls send besides messages. */
  readonly request: Readonly<Record<string, unknown>>
  /** The client's own request, where it is sent unchanged. */
  readonly sent?: Readonly<Record<string, unknown>>
  /** The first call, which all choices of a request share. */
  first(messages: readonly Message[], options: CallOptions, choice: number): UpstreamCall
  /** Another call for one choice alone. */
  again(messages: readonly Message[], options: CallOptions, choice: number, continuation?: Continuation): UpstreamCall
}

/** What one attempt yielded besides its text. */
export interface AttemptReply extends PaidShare {
  end?: ChoiceEnd
}

/** Receives what a model sends besides text, in order. */
export type SideListener = (event: Extract<ChoiceEvent, { type: 'fields' | 'logprobs' }>) => void

const nothing: readonly AttemptReply[] = []

/**
 * The runner of one choice of a request: its first attempt is a part of the shared call, each retry
 * a separate call.
 */
export class ChoiceRunner implements Runner {
  readonly takesSchema = true
  readonly replies: AttemptReply[] = []
  /** Calls before the first attempt, which are billed with it. */
  readonly before: readonly AttemptReply[]
  readonly #choice: number
  readonly #starter: CallStarter
  readonly #onSide: SideListener | undefined

  constructor(choice: number, starter: CallStarter, onSide?: SideListener, before: readonly AttemptReply[] = nothing) {
    this.before = before
    this.#choice = choice
    this.#starter = starter
    this.#onSide = onSide
  }

  run(_session: string | undefined, prompt: Prompt, options: CallOptions): ModelEvents {
    return this.#read(asMessages(prompt), options)
  }

  continue(_session: string | undefined, feedback: string, options: ContinueOptions): ModelEvents {
    const { place, session } = this.replies.at(-1)?.call.head().process ?? {}
    const isOpen = place !== undefined && session !== undefined
    return this.#read(retryMessages(feedback, options), options, isOpen ? retryContinuation(place, session, feedback) : undefined)
  }

  #asked(messages: readonly Message[], format: AnswerFormat | undefined): number {
    const { request, sent } = this.#starter
    const given = { ...request, messages }
    const asked = promptTokensOf(withoutLimits(given))
    const { inPrompt } = placeSchema(format, sent ?? given, undefined)
    const told = inPrompt === undefined ? 0 : tokensOfBytes(mostFormatBytes(inPrompt))
    return told + (sent === undefined ? asked : Math.max(asked, sentTokensOf(withoutLimits(sent))))
  }

  #read(messages: readonly Message[], options: CallOptions, continuation?: Continuation): ModelEvents {
    const isFirst = this.replies.length === 0
    const starter = this.#starter
    const choice = this.#choice
    const call = isFirst ? starter.first(messages, options, choice) : starter.again(messages, options, choice, continuation)
    const reply: AttemptReply = {
      call,
      bill: isFirst ? this.#starter.bill : new Bill(this.#starter.bill.price),
      choice: isFirst ? this.#choice : 0,
      asked: once(() => this.#asked(messages, options.format)),
      received: 0,
    }
    this.replies.push(reply)
    const events = call.choices[isFirst ? this.#choice : 0] ?? { [Symbol.asyncIterator]: missing }
    const paid = new PaidReply(reply, this.#onSide)
    // A shared call ends with the last remaining choice, so each must be left separately.
    return call.choices.length === 1 ? new ChoiceReading(events, paid) : new SharedReading(events, paid)
  }
}

/** What one choice of a call brings, piece by piece. */
class SharedReading implements ModelEvents {
  protected readonly events: ChoiceEvents
  protected readonly paid: PaidReply

  constructor(events: ChoiceEvents, paid: PaidReply) {
    this.events = events
    this.paid = paid
  }

  [Symbol.asyncIterator](): AsyncIterator<ModelEvent> {
    return translate(this.events, this.paid)
  }

  usage(): Usage {
    return this.paid.usage()
  }
}

/** What a call of one choice brings, whole or piece by piece. */
class ChoiceReading extends SharedReading {
  async whole(): Promise<readonly ModelEvent[]> {
    const events: ModelEvent[] = []
    // As they arrive: received tokens are billed, even when the rest never arrives.
    await readWhole(this.events, (event) => {
      const translated = this.paid.take(event)
      if (translated !== undefined) events.push(translated)
    })
    return events
  }
}

async function* translate(events: ChoiceEvents, paid: PaidReply): AsyncGenerator<ModelEvent> {
  for await (const event of events) {
    const translated = paid.take(event)
    if (translated !== undefined) yield translated
  }
}

/** Records what an attempt yields, and converts it to engine events. */
class PaidReply {
  readonly #reply: AttemptReply
  readonly #onSide: SideListener | undefined

  constructor(reply: AttemptReply, onSide: SideListener | undefined) {
    this.#reply = reply
    this.#onSide = onSide
  }

  /** What its share of the call has cost so far. */
  usage(): Usage {
    return this.#reply.bill.shareOf(this.#reply)
  }

  take(event: ChoiceEvent): ModelEvent | undefined {
    switch (event.type) {
      case 'text':
        this.#reply.received += Buffer.byteLength(event.text)
        return event.text === '' ? undefined : event
      case 'end':
        this.#reply.end = event
        this.#reply.bill.end(this.#reply, event)
        return this.#end(event)
      case 'fields':
        // Reasoning is billed like any other text.
        this.#reply.received += reasoningBytes(event.fields)
        this.#onSide?.(event)
        return undefined
      default:
        this.#onSide?.(event)
        return undefined
    }
  }

  #end({ finishReason, finishMissing, toolCalls, refused, unread }: ChoiceEnd): ModelEvent {
    const usage = this.#reply.bill.toldTo(this.#reply)
    // A refusal that is a separate answer ends like any other.
    const reason = refused && unread === undefined ? 'refusal' : finishReason === 'refusal' ? undefined : finishReason
    const event: Mutable<Extract<ModelEvent, { type: 'end' }>> = { type: 'end', toolCalls }
    if (reason !== undefined) event.finishReason = reason
    if (finishReason !== undefined) event.isSaid = true
    if (finishMissing !== undefined) event.finishMissing = finishMissing
    if (unread !== undefined) event.unread = unread
    if (usage !== undefined) event.usage = usage
    return event
  }
}

/** Some providers send the same reasoning under several names. */
function reasoningBytes(fields: Readonly<Record<string, unknown>>): number {
  let most = 0
  for (const name in fields) most = Math.max(most, saidBytes(fields[name]))
  return most
}

/** Counted on demand, once. */
function once(count: () => number): () => number {
  let counted: number | undefined
  return () => {
    counted ??= count()
    return counted
  }
}

async function* missing(): AsyncGenerator<ChoiceEvent> {
  yield { type: 'end', toolCalls: [], refused: false, finishMissing: 'unexpected', message: {}, fields: {} }
}

/** The request of one choice alone. */
export function forOneChoice({ n: _n, best_of: _best, ...request }: ChatRequest): ChatRequest {
  return request
}
