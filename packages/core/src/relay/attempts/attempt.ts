import { Answer } from '../../answer/answer.ts'
import { readFinishReason } from '../../answer/finish-reason.ts'
import type { ChoiceEnd, ChoiceEvent } from '../../apis/shared/choice-event.ts'
import { saidBytes } from '../../apis/shared/unchecked-values.ts'
import { type Price, priced } from '../../apis/shared/usage.ts'
import type { AnswerFormat } from '../../contract/configuration/answer-format.ts'
import { noUsage } from '../../engine/decide/budget.ts'
import type { Usage } from '../../engine/outcome.ts'
import type { EventIterator, Message, ModelEvent, ModelEvents } from '../../engine/runner.ts'
import { estimateTokensOfBytes, promptTokens as promptEstimate, utf8Length } from '../../engine/tokens/estimate-tokens.ts'
import { type MaybePromise, whenReady } from '../../engine/waiting/deferred.ts'
import { neededBack } from '../../runners/conversation.ts'
import { readWhole } from '../calls/read-whole.ts'
import type { ChoiceEvents, UpstreamCall } from '../calls/upstream-call.ts'
import type { Mutable } from '../mutable.ts'

/** What calls are made with, and estimated by. */
export interface CallTerms {
  /** For estimates; absent where nothing is known. */
  readonly price: Price | undefined
  /** Estimates the tokens of a request, for providers that report none; by its messages when absent. */
  promptTokens?(messages: readonly Message[], format: AnswerFormat | undefined): number
}

/** Receives what a model sends, in order, before the engine does. */
export type ArrivalListener = (event: ChoiceEvent) => void

/** One attempt at an answer: the call of a provider, or the share of one choice in it; what it has brought so far, and what that costs. */
export class Attempt implements ModelEvents {
  readonly call: UpstreamCall
  /** Its place among the choices of the call. */
  readonly choice: number
  /** How it ended; undefined until then. */
  end: ChoiceEnd | undefined = undefined
  readonly #terms: CallTerms
  readonly #messages: readonly Message[]
  readonly #format: AnswerFormat | undefined
  readonly #onArrival: ArrivalListener | undefined
  /** The attempt that started the call: reported usage counts once, no matter how many share it. */
  readonly #first: Attempt
  /** Of the attempts that share the call, the first one to end gets the usage of all. */
  #payer: number | undefined = undefined
  /** UTF-8 bytes that were received, but for the last text: most whole ones are never counted, because providers report usage. */
  #received = 0
  #last = ''
  /** Tokens of the request, counted on demand. */
  #asked: number | undefined = undefined

  constructor(
    call: UpstreamCall,
    terms: CallTerms,
    messages: readonly Message[],
    format?: AnswerFormat,
    onArrival?: ArrivalListener,
    choice = 0,
    first?: Attempt,
  ) {
    this.call = call
    this.choice = choice
    this.#terms = terms
    this.#messages = messages
    this.#format = format
    this.#onArrival = onArrival
    this.#first = first ?? this
  }

  [Symbol.asyncIterator](): EventIterator<ModelEvent> {
    return new TakenEvents(this.#events[Symbol.asyncIterator](), (event) => this.#take(event))
  }

  /** Everything at once; only of a call that is not shared. */
  whole(): MaybePromise<readonly ModelEvent[]> {
    const events: ModelEvent[] = []
    // As they arrive: received tokens are billed, even when the rest never arrives.
    const reading = readWhole(this.#events, (event) => {
      const taken = this.#take(event)
      if (taken !== undefined) events.push(taken)
    })
    return whenReady(reading, () => events)
  }

  /** What it has cost so far: as reported, else an estimate, marked as such. */
  usage(): Usage {
    const { usage: told, received: silent } = this.call.head()
    const payer = this.#first.#payer
    if (told !== undefined && payer !== undefined) return this.choice === payer ? told : noUsage
    const received = this.#received + utf8Length(this.#last)
    // A call without a result was rejected, and costs nothing.
    if (told === undefined && received === 0 && silent === undefined && payer === undefined) return noUsage
    const isPayer = this.choice === (payer ?? 0)
    const promptTokens = isPayer ? (told?.promptTokens ?? this.#askedTokens()) : 0
    // A stopped stream may have reported usage of its beginning.
    const completionTokens = Math.max(
      isPayer ? (told?.completionTokens ?? 0) : 0,
      estimateTokensOfBytes(received + (isPayer ? (silent ?? 0) : 0)),
    )
    return priced({ promptTokens, completionTokens, estimated: true }, this.#terms.price)
  }

  get #events(): ChoiceEvents {
    return this.call.choices[this.choice] ?? { [Symbol.asyncIterator]: missing }
  }

  /** Notes what arrives, and converts it for the engine. */
  #take(event: ChoiceEvent): ModelEvent | undefined {
    switch (event.type) {
      case 'text':
        if (this.#last !== '') this.#received += utf8Length(this.#last)
        this.#last = event.text
        this.#onArrival?.(event)
        return event.text === '' ? undefined : event
      case 'end':
        this.end = event
        this.#onArrival?.(event)
        return this.#ended(event)
      case 'fields':
        // Reasoning is billed like any other text.
        this.#received += reasoningBytes(event.fields)
        this.#onArrival?.(event)
        return undefined
      default:
        this.#onArrival?.(event)
        return undefined
    }
  }

  #ended(end: ChoiceEnd): ModelEvent {
    const { finishReason, finishMissing, toolCalls, unread } = end
    const first = this.#first
    first.#payer ??= this.choice
    // Unless they were counted as they arrived.
    if (toolCalls.length > 0 && (this.call.head().received ?? 0) === 0)
      for (const call of toolCalls) this.#received += utf8Length(call.name) + utf8Length(call.arguments)
    const usage = first.#payer === this.choice ? this.call.head().usage : undefined
    const reason = reasonOf(end)
    const event: Mutable<Extract<ModelEvent, { type: 'end' }>> = { type: 'end', toolCalls }
    if (reason !== undefined) event.finishReason = reason
    if (finishReason !== undefined) event.isSaid = true
    if (finishMissing !== undefined) event.finishMissing = finishMissing
    if (unread !== undefined) event.unread = unread
    if (usage !== undefined) event.usage = usage
    const message = toolCalls.length > 0 ? neededBack(end.message) : undefined
    if (message !== undefined) event.message = message
    return event
  }

  /** Tokens of the request, for an estimate where the provider reports none. */
  #askedTokens(): number {
    this.#asked ??= this.#terms.promptTokens?.(this.#messages, this.#format) ?? promptEstimate(this.#messages)
    return this.#asked
  }
}

/** Why an answer ended, as the engine reads it: a refusal that is a separate answer ends like any other. */
function reasonOf({ finishReason, refused, unread }: ChoiceEnd): string | undefined {
  return refused && unread === undefined ? 'refusal' : finishReason === 'refusal' ? undefined : finishReason
}

/** The answer that a model has ended, as the engine reads it. */
export function endedAnswer(text: string, end: ChoiceEnd): Answer {
  const { toolCalls, finishMissing, unread } = end
  return new Answer(text, { toolCalls, finishReason: readFinishReason(reasonOf(end)), finishMissing, unread })
}

/** An attempt that shares its call: the call ends with the last remaining choice, so each must be left separately. */
export function piecewise(attempt: Attempt): ModelEvents {
  return { [Symbol.asyncIterator]: () => attempt[Symbol.asyncIterator](), usage: () => attempt.usage() }
}

/** Some providers send the same reasoning under several names. */
function reasoningBytes(fields: Readonly<Record<string, unknown>>): number {
  let most = 0
  for (const name in fields) most = Math.max(most, saidBytes(fields[name]))
  return most
}

async function* missing(): AsyncGenerator<ChoiceEvent> {
  yield { type: 'end', toolCalls: [], refused: false, finishMissing: 'unexpected', message: {}, fields: {} }
}

/** By hand and not a generator, which makes five promises for every event. */
class TakenEvents implements EventIterator<ModelEvent> {
  readonly #events: EventIterator<ChoiceEvent>
  readonly #take: (event: ChoiceEvent) => ModelEvent | undefined
  /** Tell the reader that waits. */
  #give: ((result: IteratorResult<ModelEvent, undefined>) => void) | undefined
  #fail: ((error: unknown) => void) | undefined
  /** Called when it waits no more. */
  #onIdle: (() => void) | undefined

  constructor(events: EventIterator<ChoiceEvent>, take: (event: ChoiceEvent) => ModelEvent | undefined) {
    this.#events = events
    this.#take = take
  }

  next(): Promise<IteratorResult<ModelEvent, undefined>> {
    return new Promise((resolve, reject) => this.nextInto(resolve, reject))
  }

  nextInto(take: (result: IteratorResult<ModelEvent, undefined>) => void, fail: (error: unknown) => void): void {
    this.#give = take
    this.#fail = fail
    this.#read()
  }

  async return(): Promise<IteratorResult<ModelEvent, undefined>> {
    // As a generator does: why a call that is aborted has failed is heard before it is left.
    if (this.#give !== undefined) {
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve
      })
    }
    await this.#events.return?.()
    return { done: true, value: undefined }
  }

  #read(): void {
    if (this.#events.nextInto === undefined) this.#events.next().then(this.#onResult, this.#onError)
    else this.#events.nextInto(this.#onResult, this.#onError)
  }

  readonly #onResult = (result: IteratorResult<ChoiceEvent, undefined>): void => {
    try {
      const taken = result.done === true ? result : this.#taken(result.value)
      if (taken === undefined) this.#read()
      else this.#settled()?.(taken)
    } catch (thrown) {
      this.#onError(thrown)
    }
  }

  readonly #onError = (error: unknown): void => {
    const fail = this.#fail
    this.#settled()
    fail?.(error)
  }

  #taken(event: ChoiceEvent): IteratorResult<ModelEvent, undefined> | undefined {
    const taken = this.#take(event)
    return taken && { done: false, value: taken }
  }

  #settled(): ((result: IteratorResult<ModelEvent, undefined>) => void) | undefined {
    const give = this.#give
    this.#give = undefined
    this.#onIdle?.()
    return give
  }
}
