import type { ModelEvent } from './runner.ts'

/** Passes on what a model sends until the signal says stop, even when the runner does not listen to it. */
export function untilAborted(events: AsyncIterable<ModelEvent>, signal: AbortSignal): AsyncIterable<ModelEvent> {
  return { [Symbol.asyncIterator]: () => new AbortableIterator(events[Symbol.asyncIterator](), signal) }
}

/** By hand and not with `Promise.race`, which would remember every event of a long stream. */
class AbortableIterator implements AsyncIterator<ModelEvent> {
  readonly #inner: AsyncIterator<ModelEvent>
  readonly #signal: AbortSignal
  readonly #onAbort = (): void => this.#stop?.(this.#signal.reason)
  /** Ends the wait that is going on. */
  #stop: ((reason: unknown) => void) | undefined
  #over = false

  constructor(inner: AsyncIterator<ModelEvent>, signal: AbortSignal) {
    this.#inner = inner
    this.#signal = signal
    signal.addEventListener('abort', this.#onAbort, { once: true })
  }

  next(): Promise<IteratorResult<ModelEvent>> {
    return new Promise((resolve, reject) => {
      this.#stop = (reason) => {
        this.#leave()
        reject(reason)
      }
      if (this.#signal.aborted) {
        this.#stop(this.#signal.reason)
        return
      }
      this.#inner.next().then(
        (result) => {
          if (result.done) this.#end()
          resolve(result)
        },
        (error: unknown) => {
          this.#end()
          reject(error)
        },
      )
    })
  }

  return(): Promise<IteratorResult<ModelEvent>> {
    this.#leave()
    return Promise.resolve({ done: true, value: undefined })
  }

  /** Closes the runner's side; not awaited, since a runner that hangs would hang here too. */
  #leave(): void {
    if (this.#over) return
    this.#end()
    void Promise.resolve(this.#inner.return?.()).catch(() => {})
  }

  #end(): void {
    this.#over = true
    this.#stop = undefined
    this.#signal.removeEventListener('abort', this.#onAbort)
  }
}
