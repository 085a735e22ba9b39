import type { ModelEvent, ModelEvents } from '../runner.ts'
import { RunnerFailure } from '../runner-failure.ts'

/** Who waits for a model, and may have to stop; it waits for one thing at a time. */
export interface Waiting {
  readonly aborted: boolean
  readonly reason: unknown
  /** Called when the wait has to end; a slot and no signal, since to listen to one costs more than the wait. */
  onAbort: ((reason: unknown) => void) | undefined
}

/** Waits for all that a model sends, but no longer than the one who waits may, even when the runner does not listen. */
export function wholeUntilAborted(events: ModelEvents, waiting: Waiting): Promise<readonly ModelEvent[]> {
  return new Promise((resolve, reject) => {
    if (waiting.aborted) {
      reject(waiting.reason)
      return
    }
    waiting.onAbort = reject
    // Listened to in any case, so that a failure that comes after an abort is not left unhandled.
    Promise.resolve(events.whole?.()).then((whole: unknown) => {
      waiting.onAbort = undefined
      if (Array.isArray(whole)) resolve(whole)
      else reject(new RunnerFailure('protocol', 'the runner sent something that is not a list of model events'))
    }, reject)
  })
}

/** Passes on what a model sends until the one who waits has to stop, even when the runner does not listen. */
export function untilAborted(events: AsyncIterable<ModelEvent>, waiting: Waiting): AsyncIterable<ModelEvent> {
  return { [Symbol.asyncIterator]: () => new AbortableIterator(events[Symbol.asyncIterator](), waiting) }
}

/** By hand and not with `Promise.race`, which would remember every event of a long stream. */
class AbortableIterator implements AsyncIterator<ModelEvent> {
  readonly #inner: AsyncIterator<ModelEvent>
  readonly #waiting: Waiting
  #resolve: (result: IteratorResult<ModelEvent>) => void = () => {}
  #reject: (reason: unknown) => void = () => {}
  #over = false

  constructor(inner: AsyncIterator<ModelEvent>, waiting: Waiting) {
    this.#inner = inner
    this.#waiting = waiting
    waiting.onAbort = (reason) => {
      this.#leave()
      this.#reject(reason)
    }
  }

  next(): Promise<IteratorResult<ModelEvent>> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.aborted) {
        this.#leave()
        reject(this.#waiting.reason)
        return
      }
      this.#resolve = resolve
      this.#reject = reject
      this.#inner.next().then(this.#onResult, this.#onError)
    })
  }

  return(): Promise<IteratorResult<ModelEvent>> {
    this.#leave()
    return Promise.resolve({ done: true, value: undefined })
  }

  /** Made once and not for each event; what comes after an abort settles a promise that is settled already. */
  readonly #onResult = (result: IteratorResult<ModelEvent>): void => {
    if (result.done) this.#end()
    this.#resolve(result)
  }

  readonly #onError = (error: unknown): void => {
    this.#end()
    this.#reject(error)
  }

  /** Closes the runner's side; not awaited, since a runner that hangs would hang here too. */
  #leave(): void {
    if (this.#over) return
    this.#end()
    void Promise.resolve(this.#inner.return?.()).catch(() => {})
  }

  #end(): void {
    if (this.#over) return
    this.#over = true
    this.#waiting.onAbort = undefined
  }
}
