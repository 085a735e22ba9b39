/** What engine and runners need of an AbortSignal; every AbortSignal is one. */
export interface StopSignal {
  readonly aborted: boolean
  readonly reason: unknown
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/** Signals once that something must end, and why: a cheap AbortController that creates a real one on demand. */
export class Stop implements StopSignal {
  aborted = false
  reason: unknown
  #listeners: (() => void)[] | undefined
  #controller: AbortController | undefined

  /** Ends it; only the first call counts. */
  abort(reason: unknown): void {
    if (this.aborted) return
    this.aborted = true
    this.reason = reason
    const listeners = this.#listeners
    this.#listeners = undefined
    // A listener that throws must not keep the others from being called.
    if (listeners !== undefined) for (const listener of listeners) callSafely(listener)
    this.#controller?.abort(reason)
  }

  /** Calls the listener when it ends, once; never when it has ended already, as with an AbortSignal. */
  addEventListener(_type: 'abort', listener: () => void): void {
    if (this.aborted || this.#listeners?.includes(listener)) return
    this.#listeners ??= []
    this.#listeners.push(listener)
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    const at = this.#listeners?.indexOf(listener) ?? -1
    if (at >= 0) this.#listeners?.splice(at, 1)
  }

  /** The same as an AbortSignal, for everything that insists on one. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.aborted) this.#controller.abort(this.reason)
    }
    return this.#controller.signal
  }
}

/** The AbortSignal of anything that can be stopped. */
export function abortSignalOf(stop: StopSignal): AbortSignal {
  if (stop instanceof Stop) return stop.signal
  if (stop instanceof AbortSignal) return stop
  const made = new Stop()
  if (stop.aborted) made.abort(stop.reason)
  else stop.addEventListener('abort', () => made.abort(stop.reason))
  return made.signal
}

function callSafely(listener: () => void): void {
  try {
    listener()
  } catch (error) {
    // As with an EventTarget: the error goes to the process.
    queueMicrotask(() => {
      throw error
    })
  }
}
