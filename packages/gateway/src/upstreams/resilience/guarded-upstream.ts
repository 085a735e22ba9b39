import type { RunnerFailure } from '@stickler/core'
import { asRunnerFailure, HeldBack, isUpstreamFault } from '@stickler/core/runners'
import type { Breaker, Passage } from '@stickler/core/services'
import type { ChoiceEvent } from '@stickler/core/wire'
import { readWhole } from '../transport/read-whole.ts'
import type { CallRelay, ChoiceEvents, ReplyHead, Upstream, UpstreamCall } from '../upstream.ts'
import { CircuitOpen } from './circuit-open.ts'

type Gate = Pick<Breaker, 'enter' | 'retryAfterMs'>

/** Stops calling an upstream for a while when it keeps failing; `tell` is called with each failed call. */
export function withBreaker(upstream: Upstream, breaker: Gate, tell: (failure: RunnerFailure) => void = () => {}): Upstream {
  const { pass } = upstream
  return {
    ...upstream,
    call: (request, options) => new GuardedCall(upstream.call(request, options), upstream.name, breaker, tell),
    ...(pass === undefined
      ? {}
      : {
          async pass(path, body, options) {
            const passage = enter(upstream.name, breaker)
            try {
              const reply = await pass(path, body, options)
              passage.succeeded()
              return reply
            } catch (thrown) {
              tell(fail(passage, thrown))
              throw thrown
            }
          },
        }),
  }
}

const free: Passage = { begun() {}, succeeded() {}, failed() {}, abandoned() {} }

/** Stands in where no breaker is wanted: it admits every call, and failures are told all the same. */
export const alwaysOpen: Gate = { retryAfterMs: 0, enter: () => free }

/** Admits a call, or throws. */
export function enter(name: string, breaker: Gate): Passage {
  const passage = breaker.enter()
  if (passage === undefined) throw new CircuitOpen(name, breaker.retryAfterMs)
  return passage
}

/** Reports to the breaker what a failed call says about the provider; returns the failure. */
export function fail(passage: Passage, thrown: unknown): RunnerFailure {
  const failure = asRunnerFailure(thrown)
  if (failure instanceof HeldBack) passage.abandoned()
  else if (isUpstreamFault(failure)) passage.failed()
  // A provider that rejects a request is reachable.
  else if (failure.kind === 'http') passage.succeeded()
  else passage.abandoned()
  return failure
}

class GuardedCall implements UpstreamCall {
  readonly choices: readonly ChoiceEvents[]
  readonly #call: UpstreamCall
  readonly #name: string
  readonly #breaker: Gate
  readonly #tell: (failure: RunnerFailure) => void
  #passage: Passage | undefined
  #open: number
  #isTold = false

  constructor(call: UpstreamCall, name: string, breaker: Gate, tell: (failure: RunnerFailure) => void) {
    this.#call = call
    this.#name = name
    this.#breaker = breaker
    this.#tell = tell
    this.#open = call.choices.length
    this.choices = call.choices.map((choice) => new GuardedChoice(choice, this))
  }

  head(): ReplyHead {
    return this.#call.head()
  }

  upstream(): string {
    return this.#call.upstream()
  }

  relay(): CallRelay | undefined {
    return this.#call.relay?.()
  }

  /** Admits the call, once for all choices, or throws. */
  enter(): Passage {
    this.#passage ??= enter(this.#name, this.#breaker)
    return this.#passage
  }

  /** Called when a choice has failed; the call is told of once. */
  failed(passage: Passage, thrown: unknown): void {
    const failure = fail(passage, thrown)
    if (!this.#isTold) this.#tell(failure)
    this.#isTold = true
  }

  /** Called when a choice has ended. */
  ended(): void {
    this.#open--
    if (this.#open === 0) this.#passage?.succeeded()
  }
}

class GuardedChoice implements AsyncIterableIterator<ChoiceEvent>, ChoiceEvents {
  readonly #choice: ChoiceEvents
  readonly #call: GuardedCall
  #events: AsyncIterator<ChoiceEvent> | undefined
  #passage: Passage | undefined

  constructor(choice: ChoiceEvents, call: GuardedCall) {
    this.#choice = choice
    this.#call = call
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<ChoiceEvent, undefined>> {
    if (this.#passage === undefined) this.#passage = this.#call.enter()
    this.#events ??= this.#choice[Symbol.asyncIterator]()
    try {
      const result = await this.#events.next()
      if (result.done === true) return result
      if (result.value.type === 'end') this.#call.ended()
      else this.#passage.begun()
      return result
    } catch (thrown) {
      this.#call.failed(this.#passage, thrown)
      throw thrown
    }
  }

  async whole(take: (event: ChoiceEvent) => void): Promise<void> {
    const passage = this.#call.enter()
    const heard = (event: ChoiceEvent): void => {
      if (event.type === 'end') this.#call.ended()
      else passage.begun()
      take(event)
    }
    try {
      await readWhole(this.#choice, heard)
    } catch (thrown) {
      this.#call.failed(passage, thrown)
      throw thrown
    }
  }

  async return(): Promise<IteratorResult<ChoiceEvent, undefined>> {
    // After its end this changes nothing any more.
    this.#passage?.abandoned()
    const events = this.#events ?? this.#choice[Symbol.asyncIterator]()
    await events.return?.()
    return { done: true, value: undefined }
  }
}
