/** A value that is there, or comes later. */
export type MaybePromise<T> = T | PromiseLike<T>

/** What comes of a value for its reader. */
interface Derived {
  resolve(value: unknown): void
  reject(reason: unknown): void
}

/** A promise with one reader, which is called as soon as there is a value and not in a microtask of its own: a promise for each layer costs more than what most layers do. */
export class Deferred<T> implements PromiseLike<T> {
  #state: 'open' | 'resolved' | 'rejected' = 'open'
  #value: unknown = undefined
  #next: ((value: T) => unknown) | null | undefined = undefined
  #fail: ((reason: unknown) => unknown) | null | undefined = undefined
  /** Absent while it has no reader. */
  #derived: Derived | undefined = undefined

  /** The same for any promise. */
  static of<T>(promise: PromiseLike<T>): Deferred<T> {
    if (promise instanceof Deferred) return promise
    const deferred = new Deferred<T>()
    promise.then(
      (value) => deferred.resolve(value),
      (reason) => deferred.reject(reason),
    )
    return deferred
  }

  /** Gives the value; only the first call of this and `reject` counts. */
  resolve(value: T): void {
    this.#settle('resolved', value)
  }

  /** Says that there will be none; a reason that nobody reads goes to the process, as with a promise. */
  reject(reason: unknown): void {
    this.#settle('rejected', reason)
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise.
  then<R = T, F = never>(
    next?: ((value: T) => MaybePromise<R>) | null,
    fail?: ((reason: unknown) => MaybePromise<F>) | null,
  ): Deferred<R | F> {
    const derived = new Deferred<R | F>()
    this.#read(derived, next, fail)
    return derived
  }

  #read(derived: Derived, next?: ((value: T) => unknown) | null, fail?: ((reason: unknown) => unknown) | null): void {
    if (this.#derived !== undefined) throw new Error('a deferred value is read once')
    this.#derived = derived
    this.#next = next
    this.#fail = fail
    if (this.#state !== 'open') this.#tell(derived)
  }

  #settle(state: 'resolved' | 'rejected', value: unknown): void {
    if (this.#state !== 'open') return
    this.#state = state
    this.#value = value
    if (this.#derived !== undefined) this.#tell(this.#derived)
    // A promise that follows this one reads it a microtask later.
    else if (state === 'rejected') queueMicrotask(() => queueMicrotask(() => this.#derived === undefined && Promise.reject(value)))
  }

  #tell(derived: Derived): void {
    const isResolved = this.#state === 'resolved'
    const read = (isResolved ? this.#next : this.#fail) as ((value: unknown) => unknown) | null | undefined
    const value = this.#value
    this.#next = undefined
    this.#fail = undefined
    try {
      if (typeof read !== 'function' && !isResolved) throw value
      const made = typeof read === 'function' ? read(value) : value
      if (isPromiseLike(made)) Deferred.of(made).#read(derived)
      else derived.resolve(made)
    } catch (error) {
      derived.reject(error)
    }
  }
}

/** Goes on with a value: now if it is there, when it comes otherwise; `fail` takes the place of what never comes. */
export function whenReady<T, R>(
  value: MaybePromise<T>,
  next: (value: T) => MaybePromise<R>,
  fail?: (reason: unknown) => MaybePromise<R>,
): MaybePromise<R> {
  return isPromiseLike(value) ? Deferred.of(value).then(next, fail) : next(value)
}

/** The same with what `start` gives; `fail` also takes what it throws. */
export function attempting<T, R>(
  start: () => MaybePromise<T>,
  next: (value: T) => MaybePromise<R>,
  fail: (reason: unknown) => MaybePromise<R>,
): MaybePromise<R> {
  let value: MaybePromise<T>
  try {
    value = start()
  } catch (error) {
    return fail(error)
  }
  return whenReady(value, next, fail)
}

function isPromiseLike<T>(value: MaybePromise<T>): value is PromiseLike<T>
function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { readonly then?: unknown }).then === 'function'
}
