import { HeldBack, type Leash } from '@stickler/core/runners'

/** Thrown when all processes are busy and the queue is full: nothing was started. */
export class ProcessesBusy extends HeldBack {
  constructor(command: string, processes: number, queue: number) {
    const detail = `all ${processes} processes of ${command} are busy and ${queue} calls wait for one`
    super('http', detail, { status: 503, retryAfterMs: 5000 })
  }
}

/** Lets only so many calls have a process at a time; the others wait in order. */
export class ProcessPool {
  readonly #command: string
  readonly #processes: number
  readonly #queue: number
  readonly #waiting = new Set<() => void>()
  #busy = 0

  constructor(command: string, processes: number, queue: number) {
    this.#command = command
    this.#processes = processes
    this.#queue = queue
  }

  /** Waits for a place, but not past the stop of the call; the returned function gives it back. */
  async enter(leash: Leash): Promise<() => void> {
    if (this.#busy < this.#processes) this.#busy++
    else await this.#wait(leash)
    let isHeld = true
    return () => {
      if (isHeld) this.#leave()
      isHeld = false
    }
  }

  async #wait(leash: Leash): Promise<void> {
    if (this.#waiting.size >= this.#queue) throw new ProcessesBusy(this.#command, this.#processes, this.#queue)
    let onTurn = (): void => {}
    const turn = new Promise<void>((resolve) => {
      onTurn = resolve
    })
    this.#waiting.add(onTurn)
    try {
      await leash.hold(turn)
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
