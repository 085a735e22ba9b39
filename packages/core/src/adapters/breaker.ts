import { checkNumbers } from '../contract/configuration-error.ts'
import { type Clock, systemClock } from '../contract/ports.ts'

/** When a service is left alone, and for how long. */
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
  /** Called on every change of the service's state, and with the scope on changes that one caller alone meets. */
  readonly onChange?: (state: BreakerState, scope?: 'caller') => void
}

/** How a call that was let through went, as far as the service is concerned; only the first outcome counts. */
export interface Passage {
  /** An answer has begun: a probe has succeeded, but failures in a row are only forgotten at the end. */
  begun(): void
  /** It ended well. */
  succeeded(): void
  /** The service is to blame. */
  failed(): void
  /** It says nothing about the service, such as when the caller gave up. */
  abandoned(): void
}

/** Keeps calls from a service that fails again and again. */
export interface Breaker {
  /** The state of the service: the best that a caller meets, because one that is kept away says nothing about the others. */
  readonly state: BreakerState
  /** After how many milliseconds a call that is refused now may be let through. */
  retryAfterMs(caller?: string): number
  /** The state that a caller meets. */
  stateFor(caller?: string): BreakerState
  /**
   * Lets a call through, or gives nothing while the circuit is open; while it is half-open, one call at a time is let through as a probe.
   * Failures of one caller open the circuit for that one alone; those of as many callers as failures are allowed, at least two, for all. Calls without a caller are all of different ones.
   */
  enter(caller?: string): Passage | undefined
}

/** Makes a breaker for one service; it has no timers. */
export function createBreaker(settings: BreakerSettings = {}, ports: BreakerPorts = {}): Breaker {
  return new FairBreaker(settings, ports)
}

/** Callers whose failures are counted; of more, the first are forgotten. */
const mostCallers = 1000

/** A circuit for all and one for each caller, so that the work of one caller, which the service may fail at, does not keep others from it. */
class FairBreaker implements Breaker {
  readonly #settings: BreakerSettings
  readonly #ports: BreakerPorts
  readonly #shared: CountingBreaker
  readonly #own = new Map<string, CountingBreaker>()
  /** Whose calls have failed since one went well. */
  readonly #failing = new Set<string>()
  /** Whether there are calls without a caller, which meet the shared circuit alone. */
  #isShared = false
  #told: BreakerState = 'closed'

  constructor(settings: BreakerSettings, ports: BreakerPorts) {
    this.#settings = settings
    this.#ports = ports
    this.#shared = new CountingBreaker(settings, { ...ports, onChange: () => this.#tell() })
  }

  get state(): BreakerState {
    const shared = this.#shared.state
    if (shared !== 'closed' || this.#isShared || this.#own.size === 0) return shared
    const states = new Set(Array.from(this.#own.values(), ({ state }) => state))
    return states.has('closed') ? 'closed' : states.has('half-open') ? 'half-open' : 'open'
  }

  retryAfterMs(caller?: string): number {
    return Math.max(this.#shared.retryAfterMs, this.#own.get(caller ?? '')?.retryAfterMs ?? 0)
  }

  stateFor(caller?: string): BreakerState {
    const own = this.#own.get(caller ?? '')?.state
    return own === undefined || own === 'closed' || this.#shared.state === 'open' ? this.#shared.state : own
  }

  enter(caller?: string): Passage | undefined {
    if (!caller) {
      if (!this.#isShared) {
        this.#isShared = true
        this.#tell()
      }
      return this.#shared.enter()
    }
    const own = this.#ownOf(caller).enter()
    if (own === undefined) return undefined
    const isProbe = this.#shared.state !== 'closed'
    const shared = this.#shared.enter()
    if (shared === undefined) {
      own.abandoned()
      return undefined
    }
    return new FairPassage(this, { caller, own, shared, isProbe })
  }

  /** A call is over, for the caller alone and for all. */
  over({ caller, own, shared, isProbe }: Admitted, how: Ending): void {
    own.end(how)
    shared.end(how === 'failed' && !isProbe && !this.#isFurther(caller) ? 'abandoned' : how)
    if (how === 'well' && this.#shared.failures === 0) this.#failing.clear()
    // It may be the first that goes well beside a caller that is kept away.
    if (how === 'well' && this.#told !== 'closed' && this.state === 'closed') this.#tell()
  }

  /** Tells the state of the service when it is new, or else that of the caller whose circuit changed. */
  #tell(own?: BreakerState): void {
    const { state } = this
    if (state !== this.#told) {
      this.#told = state
      this.#ports.onChange?.(state)
    } else if (own !== undefined) this.#ports.onChange?.(own, 'caller')
  }

  /** Whether the failure of a caller says more about the service than the failures before it. */
  #isFurther(caller: string): boolean {
    const { size } = this.#failing
    if (size < mostCallers) this.#failing.add(caller)
    return this.#failing.size > size && (size > 0 || this.#settings.failures !== 1)
  }

  #ownOf(caller: string): CountingBreaker {
    const known = this.#own.get(caller)
    if (known !== undefined) return known
    const [first] = this.#own.keys()
    if (first !== undefined && this.#own.size >= mostCallers) this.#own.delete(first)
    const made = new CountingBreaker(this.#settings, { ...this.#ports, onChange: (state) => this.#tell(state) })
    this.#own.set(caller, made)
    return made
  }
}

type Ending = 'well' | 'failed' | 'abandoned'

/** What a call of a caller was let through with. */
interface Admitted {
  readonly caller: string
  readonly own: BreakerPassage
  readonly shared: BreakerPassage
  /** Whether it finds out for all. */
  readonly isProbe: boolean
}

class FairPassage implements Passage {
  readonly #breaker: FairBreaker
  readonly #with: Admitted
  #isOver = false

  constructor(breaker: FairBreaker, admitted: Admitted) {
    this.#breaker = breaker
    this.#with = admitted
  }

  begun(): void {
    this.#with.own.begun()
    this.#with.shared.begun()
  }

  succeeded(): void {
    this.#over('well')
  }

  failed(): void {
    this.#over('failed')
  }

  abandoned(): void {
    this.#over('abandoned')
  }

  #over(how: Ending): void {
    if (!this.#isOver) this.#breaker.over(this.#with, how)
    this.#isOver = true
  }
}

class CountingBreaker {
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

  constructor(settings: BreakerSettings, ports: BreakerPorts) {
    const { failures = 5, openMs = 5000, maxOpenMs = 60_000 } = settings
    checkNumbers({ failures, openMs, maxOpenMs })
    this.#threshold = failures
    this.#openMs = openMs
    this.#maxOpenMs = maxOpenMs
    this.#clock = ports.clock ?? systemClock
    this.#onChange = ports.onChange ?? (() => {})
  }

  /** Failures in a row. */
  get failures(): number {
    return this.#failures
  }

  get state(): BreakerState {
    return this.#state === 'open' && this.#clock.now() >= this.#openUntil ? 'half-open' : this.#state
  }

  get retryAfterMs(): number {
    if (this.state === 'half-open') return Math.min(1000, this.#openMs)
    return this.#state === 'open' ? Math.max(1, Math.ceil(this.#openUntil - this.#clock.now())) : 0
  }

  enter(): BreakerPassage | undefined {
    if (this.#state === 'closed') return new BreakerPassage(this, this.#era)
    if (this.#probe !== undefined || this.state === 'open') return undefined
    this.#change('half-open')
    const probe = new BreakerPassage(this, this.#era)
    this.#probe = probe
    return probe
  }

  /** An answer to a call has begun; returns the era that the call belongs to from now on. */
  begun(passage: Passage, era: number): number {
    if (this.#probe !== passage || era !== this.#era) return era
    this.#probe = undefined
    this.#failures = this.#threshold - 1
    this.#change('closed')
    return this.#era
  }

  /** A call is over: well, with a failure, or without saying anything about the service. */
  over(passage: Passage, era: number, how: Ending): void {
    if (this.#probe === passage) this.#probe = undefined
    if (era !== this.#era || how === 'abandoned') return
    if (how === 'well') this.#succeed()
    else this.#fail()
  }

  #succeed(): void {
    this.#failures = 0
    this.#reopenings = 0
    if (this.#state !== 'closed') this.#change('closed')
  }

  #fail(): void {
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
  readonly #breaker: CountingBreaker
  /** None once it is over, because the outcome of a call counts once. */
  #era: number

  constructor(breaker: CountingBreaker, era: number) {
    this.#breaker = breaker
    this.#era = era
  }

  begun(): void {
    this.#era = this.#breaker.begun(this, this.#era)
  }

  succeeded(): void {
    this.end('well')
  }

  failed(): void {
    this.end('failed')
  }

  abandoned(): void {
    this.end('abandoned')
  }

  end(how: Ending): void {
    const era = this.#era
    this.#era = -1
    this.#breaker.over(this, era, how)
  }
}
