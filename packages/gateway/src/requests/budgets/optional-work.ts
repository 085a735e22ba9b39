import type { Clock } from '@stickler/core'
import { waitAtMost } from '@stickler/core/internal'

/** How long an answer waits for optional work. */
const patienceMs = 1000

/** The result of work that an answer can do without; rejects when that takes too long. */
export function inTime<Value>(work: Promise<Value>, what: string, clock: Clock): Promise<Value> {
  return waitAtMost(work, { clock, timeoutMs: patienceMs }, () => Promise.reject(new Error(`${what} in time`)))
}
