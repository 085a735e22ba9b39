/** Waits for a promise, but not past the stop of a call. */
export interface Holder {
  hold<Result>(promise: PromiseLike<Result>): Promise<Result>
}

/** Lets only so many calls have a process at a time; the others wait in order. */
export class ProcessPool {
  readonly #processes: number
  readonly #queue: number
  readonly #busyFailure: () => Error
  readonly #waiting = new Set<() => void>()
  #busy = 0

  /** `busyFailure` makes what is thrown when all processes are busy and `queue` calls wait. */
  constructor(processes: number, queue: number, busyFailure: () => Error) {
    this.#processes = processes
    this.#queue = queue
    this.#busyFailure = busyFailure
  }

  /** Waits for a place, but not past the stop of the call; the returned function gives it back. */
  async enter(call: Holder): Promise<() => void> {
    if (this.#busy < this.#processes) this.#busy++
    else await this.#wait(call)
    let isHeld = true
    return () => {
      if (isHeld) this.#leave()
      isHeld = false
    }
  }

  async #wait(call: Holder): Promise<void> {
    if (this.#waiting.size >= this.#queue) throw this.#busyFailure()
    let onTurn = (): void => {}
    const turn = new Promise<void>((resolve) => {
      onTurn = resolve
    })
    this.#waiting.add(onTurn)
    try {
      await call.hold(turn)
    } catch (thrown) {
      // A place that was given at the same moment must not be lost.
      if (!this.#waiting.delete(onTurn)) this.#leave()
      throw thrown
    }
  }

  #leave(): void {
    const [next] = this.#waiting
    if (next === undefined) this.#busy--
    else {
      this.#waiting.delete(next)
      next()
    }
  }
}
