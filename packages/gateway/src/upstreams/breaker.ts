import { type Clock, type RunnerFailure, systemClock } from '@stickler/core'
import { CircuitOpen, isHeldBack, isUpstreamFault } from './passing-failure.ts'
import { checkNumbers } from './transport.ts'

/** When an upstream is left alone, and for how long. */
export interface BreakerSettings {
  /** How many failures in a row open the circuit; 5. */
  readonly failures?: number
  /** How long it stays open at first; each failed probe doubles it; 5 s. */
  readonly openMs?: number
  /** The longest time it stays open; 60 s. */
  readonly maxOpenMs?: number
}

/** Whether calls get through: all, none, or a single one that finds out. */
export type BreakerState = 'closed' | 'open' | 'half-open'

/** What a breaker is given beside its settings. */
export interface BreakerPorts {
  readonly clock?: Clock
  /** Told of every change. */
  readonly onChange?: (state: BreakerState) => void
}

/** How a call that was let through went, as far as the provider is concerned. */
export interface Passage {
  /** An answer has begun: a probe has succeeded, but failures in a row are only forgotten at the end. */
  begun(): void
  /** It ended well. */
  succeeded(): void
  failed(failure: RunnerFailure): void
  /** It says nothing about the provider: the caller gave up. */
  abandoned(): void
}

/** Counts the failures of one upstream, without timers. */
export class Breaker {
  readonly #name: string
  readonly #threshold: number
  readonly #openMs: number
  readonly #maxOpenMs: number
  readonly #clock: Clock
  readonly #onChange: (state: BreakerState) => void
  #state: BreakerState = 'closed'
  #failures = 0
  #reopenings = 0
  #openUntil = 0
  #probe: Passage | undefined
  /** Outcomes of calls that began before the last change say nothing about what is now. */
  #era = 0

  constructor(name: string, settings: BreakerSettings = {}, ports: BreakerPorts = {}) {
    const { failures = 5, openMs = 5000, maxOpenMs = 60_000 } = settings
    checkNumbers({ failures, openMs, maxOpenMs })
    this.#name = name
    this.#threshold = failures
    this.#openMs = openMs
    this.#maxOpenMs = maxOpenMs
    this.#clock = ports.clock ?? systemClock
    this.#onChange = ports.onChange ?? (() => {})
  }

  get state(): BreakerState {
    return this.#state === 'open' && this.#clock.now() >= this.#openUntil ? 'half-open' : this.#state
  }

  /** Lets a call through, or throws. */
  enter(): Passage {
    if (this.state === 'half-open') {
      if (this.#probe !== undefined) throw new CircuitOpen(this.#name, Math.min(1000, this.#openMs))
      return this.#enterAsProbe()
    }
    if (this.#state === 'open') throw new CircuitOpen(this.#name, Math.max(1, Math.ceil(this.#openUntil - this.#clock.now())))
    return new BreakerPassage(this, this.#era)
  }

  /** An answer to a call has begun; returns the era that the call belongs to from now on. */
  begun(passage: Passage, era: number): number {
    if (this.#probe !== passage || era !== this.#era) return era
    this.#probe = undefined
    this.#failures = this.#threshold - 1
    this.#change('closed')
    return this.#era
  }

  /** A call is over: well, with a failure, or without saying anything about the provider. */
  over(passage: Passage, era: number, how: 'well' | 'abandoned' | RunnerFailure): void {
    if (this.#probe === passage) this.#probe = undefined
    if (era !== this.#era || how === 'abandoned') return
    if (how === 'well') this.#succeed()
    else this.#fail(how)
  }

  #enterAsProbe(): Passage {
    this.#change('half-open')
    this.#probe = new BreakerPassage(this, this.#era)
    return this.#probe
  }

  #succeed(): void {
    this.#failures = 0
    this.#reopenings = 0
    if (this.#state !== 'closed') this.#change('closed')
  }

  #fail(failure: RunnerFailure): void {
    if (isHeldBack(failure)) return
    if (isUpstreamFault(failure)) this.#count()
    // A provider that refuses a request is there.
    else if (failure.kind === 'http') this.#succeed()
  }

  #count(): void {
    this.#failures++
    if (this.#state === 'closed' && this.#failures < this.#threshold) return
    this.#openUntil = this.#clock.now() + Math.min(this.#maxOpenMs, this.#openMs * 2 ** Math.min(this.#reopenings++, 20))
    this.#change('open')
  }

  #change(state: BreakerState): void {
    if (this.#state === state) return
    this.#state = state
    this.#era++
    this.#onChange(state)
  }
}

/** One for every call, so without closures. */
class BreakerPassage implements Passage {
  readonly #breaker: Breaker
  /** None once it is over, because the outcome of a call counts once. */
  #era: number

  constructor(breaker: Breaker, era: number) {
    this.#breaker = breaker
    this.#era = era
  }

  begun(): void {
    this.#era = this.#breaker.begun(this, this.#era)
  }

  succeeded(): void {
    this.#breaker.over(this, this.#era, 'well')
    this.#era = -1
  }

  failed(failure: RunnerFailure): void {
    this.#breaker.over(this, this.#era, failure)
    this.#era = -1
  }

  abandoned(): void {
    this.#breaker.over(this, this.#era, 'abandoned')
    this.#era = -1
  }
}
