import type { StopSignal } from '@stickler/core'

/** Waits for work, but no longer than until the stop: work that does not listen to it must not hold up whoever waits. */
export function unlessStopped<Value>(work: Promise<Value>, stop: StopSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const end = (): void => reject(stop.reason)
    if (stop.aborted) end()
    stop.addEventListener('abort', end)
    work.then(resolve, reject).finally(() => stop.removeEventListener('abort', end))
  })
}
