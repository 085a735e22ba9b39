import type { ModelEvent } from './runner.ts'

/** Passes on what a model sends until the signal says stop, even when the runner does not listen to it. */
export async function* untilAborted(events: AsyncIterable<ModelEvent>, signal: AbortSignal): AsyncGenerator<ModelEvent> {
  const iterator = events[Symbol.asyncIterator]()
  let stop = (_reason: unknown): void => {}
  const stopped = new Promise<never>((_resolve, reject) => {
    stop = reject
  })
  // Nobody may be waiting when it happens.
  stopped.catch(() => {})
  const onAbort = (): void => stop(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  let finished = false
  try {
    signal.throwIfAborted()
    for (;;) {
      const result = await Promise.race([iterator.next(), stopped])
      if (result.done) {
        finished = true
        return
      }
      yield result.value
    }
  } catch (error) {
    // A runner that threw has nothing left to close; one that was left waiting is closed below.
    finished = !signal.aborted
    throw error
  } finally {
    signal.removeEventListener('abort', onAbort)
    // Not awaited: a runner that hangs would hang here too.
    if (!finished) void Promise.resolve(iterator.return?.()).catch(() => {})
  }
}
