import type { Clock } from '@stickler/core'

/** An answer does not wait longer for what it can be given without. */
const patienceMs = 1000

/** What comes of work that an answer can do without; rejects when that takes too long. */
export function inTime<Value>(work: Promise<Value>, what: string, clock: Clock): Promise<Value> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(patienceMs, () => reject(new Error(`${what} in time`)))
    work.then(resolve, reject).finally(cancel)
  })
}
