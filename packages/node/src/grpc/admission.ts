import { FairPlaces } from '@stickler/core/internal/services'

/** How much work is accepted at a time. */
export interface AdmissionLimits {
  /** Most calls. */
  readonly calls: number
  /** Most characters of their sources together. */
  readonly characters: number
  /** Most calls of one caller; without a limit where absent. */
  readonly callsPerCaller?: number | undefined
}

/** The part of the characters by which callers without a call may exceed them. */
const spare = 1 / 8

/** Counts the calls under way; what is beyond the limits is turned away at once, and callers share what there is. */
export class Admission {
  readonly #limits: AdmissionLimits
  readonly #places = new FairPlaces()
  #characters = 0
  #isClosed = false
  #whenIdle: (() => void) | undefined
  #idle: Promise<void> | undefined

  constructor(limits: AdmissionLimits) {
    this.#limits = limits
  }

  /** The limit that a caller has reached for itself. */
  reached(caller: string): number | undefined {
    const { callsPerCaller } = this.#limits
    return callsPerCaller !== undefined && this.#places.heldBy(caller) >= callsPerCaller ? callsPerCaller : undefined
  }

  /**
   * Admits a call, and returns how to release it; undefined when there is no room. A large source
   * is admitted when it is alone.
   */
  enter(characters: number, caller: string): (() => void) | undefined {
    const { calls, characters: most } = this.#limits
    const isFirst = this.#places.heldBy(caller) === 0
    const fits =
      this.#places.size === 0 || this.#characters + characters <= most || (isFirst && this.#characters + characters <= most * (1 + spare))
    if (this.#isClosed || !fits || this.reached(caller) !== undefined || !this.#places.hasRoom(caller, calls)) return undefined
    this.#places.enter(caller)
    this.#characters += characters
    return () => {
      this.#places.leave(caller)
      this.#characters -= characters
      if (this.#places.size === 0) this.#whenIdle?.()
    }
  }

  /** Admits no more calls; resolves when all have ended. */
  close(): Promise<void> {
    this.#isClosed = true
    this.#idle ??= new Promise((resolve) => {
      if (this.#places.size === 0) resolve()
      else this.#whenIdle = resolve
    })
    return this.#idle
  }
}
