import { type Clock, type Ports, systemClock } from '../../contract/ports.ts'
import type { Executor } from '../executor.ts'
import { abortSignalOf, type StopSignal } from '../stop.ts'

/** What a check may be given beside contract and answer. */
export interface CheckOptions {
  /** Given to validators, never to a model. */
  readonly context?: Readonly<Record<string, unknown>>
  readonly ports?: Ports
  readonly signal?: StopSignal
  readonly clock?: Clock
  /** Names of the validators to run; all when absent, none when empty. */
  readonly only?: readonly string[]
  /** The request that the answer belongs to, for checks with `when`. */
  readonly request?: { readonly api?: string; readonly model?: string; readonly tags?: readonly string[] }
  /** Runs slow checks and repairs in another place; absent when all of them run in place. */
  readonly executor?: Executor | undefined
}

/** What surrounds a check. */
export interface CheckSetting {
  readonly context: Readonly<Record<string, unknown>>
  readonly ports: Ports
  readonly clock: Clock
  readonly executor: Executor | undefined
  /** Whether the result is no longer needed, and why. */
  readonly aborted: boolean
  readonly reason: unknown
  /** Says the same as a signal; made when it is first asked for, since to make one costs more than most checks. */
  readonly signal: AbortSignal
  /** What validators keep from one check to the next; made when it is first asked for. */
  readonly memory: Map<unknown, unknown>
  /** The attempt of the run whose answer is checked. */
  readonly attempts?: number
}

/** The setting that options describe. */
export class GivenSetting implements CheckSetting {
  readonly context: Readonly<Record<string, unknown>>
  readonly ports: Ports
  readonly clock: Clock
  readonly executor: Executor | undefined
  readonly #given: StopSignal | undefined
  #signal: AbortSignal | undefined
  #memory: Map<unknown, unknown> | undefined

  constructor(options: CheckOptions) {
    this.context = options.context ?? {}
    this.ports = options.ports ?? {}
    this.clock = options.clock ?? systemClock
    this.executor = options.executor
    this.#given = options.signal
  }

  get aborted(): boolean {
    return this.#given?.aborted === true
  }

  get reason(): unknown {
    return this.#given?.reason
  }

  get signal(): AbortSignal {
    this.#signal ??= this.#given === undefined ? new AbortController().signal : abortSignalOf(this.#given)
    return this.#signal
  }

  get memory(): Map<unknown, unknown> {
    this.#memory ??= new Map()
    return this.#memory
  }
}
