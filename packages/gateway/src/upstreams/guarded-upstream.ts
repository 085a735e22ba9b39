import { asRunnerFailure } from '@stickler/core/runners'
import type { Breaker, Passage } from './breaker.ts'
import type { ChoiceEvent, Upstream, UpstreamCall } from './upstream.ts'

/** Leaves an upstream alone for a while when it fails again and again. */
export function withBreaker(upstream: Upstream, breaker: Breaker): Upstream {
  const { pass } = upstream
  return {
    ...upstream,
    call: (request, options) => guarded(upstream.call(request, options), breaker),
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

function guarded(call: UpstreamCall, breaker: Breaker): UpstreamCall {
  let passage: Passage | undefined
  let open = call.choices.length
  const enter = (): Passage => {
    passage ??= breaker.enter()
    return passage
  }
  const onEnd = (): void => {
    open--
    if (open === 0) passage?.succeeded()
  }
  const choices = call.choices.map((choice) => new GuardedChoice(choice, enter, onEnd))
  return { choices, head: () => call.head(), upstream: () => call.upstream() }
}

class GuardedChoice implements AsyncIterableIterator<ChoiceEvent> {
  readonly #events: AsyncIterator<ChoiceEvent>
  readonly #enter: () => Passage
  readonly #onEnd: () => void
  #passage: Passage | undefined

  constructor(choice: AsyncIterable<ChoiceEvent>, enter: () => Passage, onEnd: () => void) {
    this.#events = choice[Symbol.asyncIterator]()
    this.#enter = enter
    this.#onEnd = onEnd
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<ChoiceEvent, undefined>> {
    if (this.#passage === undefined) this.#passage = this.#enter()
    try {
      const result = await this.#events.next()
      if (result.done === true) return result
      if (result.value.type === 'end') this.#onEnd()
      else this.#passage.begun()
      return result
    } catch (thrown) {
      this.#passage.failed(asRunnerFailure(thrown))
      throw thrown
    }
  }

  async return(): Promise<IteratorResult<ChoiceEvent, undefined>> {
    // After its end this changes nothing any more.
    this.#passage?.abandoned()
    await this.#events.return?.()
    return { done: true, value: undefined }
  }
}
