import type { EventIterator, ModelEvent, ModelEvents } from '../runner.ts'
import { RunnerFailure } from '../runner-failure.ts'
import { attempting, Deferred } from '../waiting/deferred.ts'

/** A call of a model that can be stopped; it waits for one thing at a time. */
interface Waiting {
  readonly aborted: boolean
  readonly reason: unknown
  /** Called when the wait has to end; a slot and no signal, since to listen to one costs more than the wait. */
  onAbort: ((reason: unknown) => void) | undefined
}

/** Waits for all that a model sends, but no longer than the one who waits may, even when the runner does not listen. */
export function wholeUntilAborted(events: ModelEvents, waiting: Waiting): Deferred<readonly ModelEvent[]> {
  const all = new Deferred<readonly ModelEvent[]>()
  const fail = (reason: unknown): void => {
    waiting.onAbort = undefined
    all.reject(reason)
  }
  if (waiting.aborted) {
    fail(waiting.reason)
    return all
  }
  waiting.onAbort = fail
  // Listened to in any case, so that a failure that comes after an abort is not left unhandled.
  void attempting<unknown, void>(
    () => events.whole?.(),
    (whole) => {
      waiting.onAbort = undefined
      if (Array.isArray(whole)) all.resolve(whole)
      else all.reject(new RunnerFailure('protocol', 'the runner sent something that is not a list of model events'))
    },
    fail,
  )
  return all
}

/** What a reader makes of an event, or of the end: nothing when it wants to read on. */
export type Take<T> = (result: IteratorResult<ModelEvent>) => T | PromiseLike<T> | undefined

/** Passes on what a model sends until the one who waits has to stop, even when the runner does not listen. */
export function untilAborted(events: AsyncIterable<ModelEvent>, waiting: Waiting): AsyncIterable<ModelEvent> {
  return {
    [Symbol.asyncIterator]: () =>
      new AbortableReading<IteratorResult<ModelEvent>>(events[Symbol.asyncIterator](), waiting, (result) => result, rethrow),
  }
}

function rethrow(error: unknown): never {
  throw error
}

/** Reads what a model sends until the one who waits has to stop. By hand and not with `Promise.race`, which would remember every event of a long stream. */
export class AbortableReading<T> {
  readonly #inner: EventIterator<ModelEvent>
  readonly #waiting: Waiting
  readonly #take: Take<T>
  readonly #fail: (error: unknown) => T | PromiseLike<T>
  /** Settle the promise of who waits; absent while nobody does. */
  #resolve: ((made: T | PromiseLike<T>) => void) | undefined
  #reject: (reason: unknown) => void = () => {}
  #over = false

  /** `take` makes what is read of events, `fail` of a failure and of what `take` throws. */
  constructor(inner: EventIterator<ModelEvent>, waiting: Waiting, take: Take<T>, fail: (error: unknown) => T | PromiseLike<T>) {
    this.#inner = inner
    this.#waiting = waiting
    this.#take = take
    this.#fail = fail
    const stop = (reason: unknown): void => {
      this.#leave()
      this.#settle(reason)
    }
    waiting.onAbort = stop
  }

  next(): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
      if (this.#waiting.aborted) {
        this.#leave()
        this.#settle(this.#waiting.reason)
      } else this.#read()
    })
  }

  return(): Promise<IteratorReturnResult<undefined>> {
    this.#leave()
    return Promise.resolve({ done: true, value: undefined })
  }

  #read(): void {
    if (this.#inner.nextInto === undefined) this.#inner.next().then(this.#onResult, this.#onError)
    else this.#inner.nextInto(this.#onResult, this.#onError)
  }

  /** Made once and not for each event. */
  readonly #onResult = (result: IteratorResult<ModelEvent>): void => {
    // What comes after an abort is not taken any more.
    if (this.#over) return
    if (result.done) this.#end()
    const resolve = this.#resolve
    // An abort while it is taken finds nobody who waits here.
    this.#resolve = undefined
    try {
      const made = this.#take(result)
      if (made !== undefined) {
        resolve?.(made)
        return
      }
      this.#resolve = resolve
      if (this.#waiting.aborted) this.#settle(this.#waiting.reason)
      else this.#read()
    } catch (error) {
      this.#resolve = resolve
      this.#settle(error)
    }
  }

  readonly #onError = (error: unknown): void => {
    this.#end()
    this.#settle(error)
  }

  #settle(error: unknown): void {
    const resolve = this.#resolve
    if (resolve === undefined) return
    this.#resolve = undefined
    try {
      resolve(this.#fail(error))
    } catch (thrown) {
      this.#reject(thrown)
    }
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
