import type { RunnerFailure } from '@stickler/core'
import { asRunnerFailure, HeldBack, isUpstreamFault } from '@stickler/core/internal'
import type { ChoiceEvent } from '@stickler/core/internal/apis'
import type { CallWatcher, ChoiceEvents, UpstreamCall } from '@stickler/core/internal/relay'
import type { Passage } from '@stickler/core/internal/services'
import type { Breaker } from '@stickler/core/validators'

/** Thrown while a circuit breaker blocks calls to an upstream: nothing was sent. */
export class CircuitOpen extends HeldBack {
  constructor(upstream: string, retryAfterMs: number) {
    super('http', `the upstream ${upstream} failed too often and is not called for a while`, {
      status: 503,
      code: 'circuit_open',
      retryAfterMs,
    })
  }
}

/** The breaker of an upstream, and the listener for its failures. */
export interface Guard {
  readonly name: string
  /** Absent if every call is admitted. */
  readonly breaker?: Pick<Breaker, 'enter' | 'retryAfterMs'> | undefined
  /** Called with each call that failed, also those that are repeated. */
  readonly tell?: ((failure: RunnerFailure) => void) | undefined
}

/** One call of a provider, observed by the breaker. */
export class GuardedCall implements CallWatcher {
  readonly call: UpstreamCall | undefined
  readonly #guard: Guard | undefined
  #passage: Passage | undefined
  #open: number
  #isTold = false

  constructor(call: UpstreamCall | undefined, guard: Guard | undefined) {
    this.call = call
    this.#guard = guard
    this.#open = call?.choices.length ?? 1
    if (guard !== undefined) call?.watch?.(this)
  }

  /** Admits the call, once for all choices, or throws. */
  enter(): void {
    const guard = this.#guard
    if (guard?.breaker === undefined || this.#passage !== undefined) return
    this.#passage = guard.breaker.enter()
    if (this.#passage === undefined) throw new CircuitOpen(guard.name, guard.breaker.retryAfterMs())
  }

  /** The events of a choice; if the call does not report its end, it is detected by reading. */
  choice(index: number): ChoiceEvents | undefined {
    const choice = this.call?.choices[index]
    return choice === undefined || this.#guard === undefined || this.call?.watch !== undefined ? choice : watched(choice, this)
  }

  begun(): void {
    this.#passage?.begun()
  }

  repeated(failure: RunnerFailure): void {
    this.#guard?.tell?.(failure)
  }

  /** Called when one choice has ended, if the call does not report its end. */
  choiceEnded(): void {
    if (--this.#open === 0) this.ended()
  }

  ended(): void {
    this.#passage?.succeeded()
  }

  failed(failure: RunnerFailure): void {
    if (this.#passage !== undefined) judge(this.#passage, failure)
    if (!this.#isTold) this.#guard?.tell?.(failure)
    this.#isTold = true
  }

  /** Called when a reader stops; no effect after the end. */
  left(): void {
    this.#passage?.abandoned()
  }
}

/** Reports to the breaker what a failed call says about the provider. */
function judge(passage: Passage, failure: RunnerFailure): void {
  if (failure instanceof HeldBack) passage.abandoned()
  else if (isUpstreamFault(failure)) passage.failed()
  // A provider that rejects a request is reachable.
  else if (failure.kind === 'http') passage.succeeded()
  else passage.abandoned()
}

async function* watched(choice: ChoiceEvents, guarded: GuardedCall): AsyncGenerator<ChoiceEvent, undefined> {
  try {
    for await (const event of choice) {
      if (event.type === 'end') guarded.choiceEnded()
      yield event
    }
  } catch (thrown) {
    guarded.failed(asRunnerFailure(thrown))
    throw thrown
  }
}
