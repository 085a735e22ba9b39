/** How much work is accepted at a time. */
export interface AdmissionLimits {
  /** Most calls. */
  readonly calls: number
  /** Most characters of their sources together. */
  readonly characters: number
}

/** Counts the calls under way; what is beyond the limits is turned away at once. */
export class Admission {
  readonly #limits: AdmissionLimits
  #calls = 0
  #characters = 0
  #isClosed = false
  #whenIdle: (() => void) | undefined
  #idle: Promise<void> | undefined

  constructor(limits: AdmissionLimits) {
    this.#limits = limits
  }

  /**
   * Admits a call, and returns how to release it; undefined when there is no room. A large source
   * is admitted when it is alone.
   */
  enter(characters: number): (() => void) | undefined {
    const { calls, characters: most } = this.#limits
    const hasRoom = this.#calls < calls && (this.#calls === 0 || this.#characters + characters <= most)
    if (this.#isClosed || !hasRoom) return undefined
    this.#calls++
    this.#characters += characters
    return () => {
      this.#calls--
      this.#characters -= characters
      if (this.#calls === 0) this.#whenIdle?.()
    }
  }

  /** Admits no more calls; resolves when all have ended. */
  close(): Promise<void> {
    this.#isClosed = true
    this.#idle ??= new Promise((resolve) => {
      if (this.#calls === 0) resolve()
      else this.#whenIdle = resolve
    })
    return this.#idle
  }
}
