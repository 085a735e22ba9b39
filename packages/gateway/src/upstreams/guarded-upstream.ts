import { asRunnerFailure } from '@stickler/core/runners'
import type { Breaker, Passage } from './breaker.ts'
import { readWhole } from './read-whole.ts'
import type { ChoiceEvent, ChoiceEvents, ReplyHead, Upstream, UpstreamCall } from './upstream.ts'

/** Leaves an upstream alone for a while when it fails again and again. */
export function withBreaker(upstream: Upstream, breaker: Breaker): Upstream {
  const { pass } = upstream
  return {
    ...upstream,
    call: (request, options) => new GuardedCall(upstream.call(request, options), breaker),
    ...(pass === undefined
      ? {}
      : {
          async pass(path, body, options) {
            const passage = breaker.enter()
            try {
              const reply = await pass(path, body, options)
              passage.succeeded()
              return reply
            } catch (thrown) {
              passage.failed(asRunnerFailure(thrown))
              throw thrown
            }
          },
        }),
  }
}

class GuardedCall implements UpstreamCall {
  readonly choices: readonly ChoiceEvents[]
  readonly #call: UpstreamCall
  readonly #breaker: Breaker
  #passage: Passage | undefined
  #open: number

  constructor(call: UpstreamCall, breaker: Breaker) {
    this.#call = call
    this.#breaker = breaker
    this.#open = call.choices.length
    this.choices = call.choices.map((choice) => new GuardedChoice(choice, this))
  }

  head(): ReplyHead {
    return this.#call.head()
  }

  upstream(): string {
    return this.#call.upstream()
  }

  /** Lets the call through, once for all choices, or throws. */
  enter(): Passage {
    this.#passage ??= this.#breaker.enter()
    return this.#passage
  }

  /** Told that a choice has come to its end. */
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
      this.#passage.failed(asRunnerFailure(thrown))
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
      passage.failed(asRunnerFailure(thrown))
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
