import { FairQueue, makeRoom, type Queued } from '@stickler/core/services'

/** Waits for a promise, but not past the stop of a call. */
export interface Holder {
  hold<Result>(promise: PromiseLike<Result>): Promise<Result>
}

interface Waiting {
  readonly enter: () => void
  readonly refuse: (failure: Error) => void
}

/** Lets only so many calls have a process at a time; the others wait, and their callers take turns. */
export class ProcessPool {
  readonly #processes: number
  readonly #queue: number
  readonly #busyFailure: () => Error
  readonly #waiting = new FairQueue<Waiting>()
  #busy = 0

  /** `busyFailure` makes what is thrown when all processes are busy and `queue` calls wait. */
  constructor(processes: number, queue: number, busyFailure: () => Error) {
    this.#processes = processes
    this.#queue = queue
    this.#busyFailure = busyFailure
  }

  /** Waits for a place, but not past the stop of the call; the returned function gives it back. */
  async enter(call: Holder, caller = ''): Promise<() => void> {
    if (this.#busy < this.#processes) this.#busy++
    else await this.#wait(call, caller)
    let isHeld = true
    return () => {
      if (isHeld) this.#leave()
      isHeld = false
    }
  }

  async #wait(call: Holder, caller: string): Promise<void> {
    if (!makeRoom(this.#waiting, this.#queue, caller, ({ refuse }) => refuse(this.#busyFailure()))) throw this.#busyFailure()
    let isRefused = false
    let entry = undefined as Queued<Waiting> | undefined
    const turn = new Promise<void>((enter, reject) => {
      const refuse = (failure: Error): void => {
        isRefused = true
        reject(failure)
      }
      entry = this.#waiting.add(caller, { enter, refuse })
    })
    try {
      await call.hold(turn)
    } catch (thrown) {
      // A place that was given at the same moment must not be lost.
      if (entry !== undefined && !this.#waiting.delete(entry) && !isRefused) this.#leave()
      throw thrown
    }
  }

  #leave(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#busy--
    else next.enter()
  }
}
