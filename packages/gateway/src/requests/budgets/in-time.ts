import type { Clock } from '@stickler/core'

/** How long an answer waits for optional work. */
const patienceMs = 1000

/** The result of work that an answer can do without; rejects when that takes too long. */
export function inTime<Value>(work: Promise<Value>, what: string, clock: Clock): Promise<Value> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(patienceMs, () => reject(new Error(`${what} in time`)))
    work.then(resolve, reject).finally(cancel)
  })
}
