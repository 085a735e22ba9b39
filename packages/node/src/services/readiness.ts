import type { Clock } from '@stickler/core'
import { waitAtMost } from '@stickler/core/internal'

/** How long the result of a probe is kept: external probes must not cause load. */
const freshMs = 1000
const patienceMs = 900

/** Returns whether a service responds in time; false after a failure, and for an open circuit, which is not probed. */
export function readiness(
  probe: (signal: AbortSignal) => Promise<unknown>,
  clock: Clock,
  isOpen: () => boolean = () => false,
): () => Promise<boolean> {
  let asked: { readonly at: number; readonly answer: Promise<boolean> } | undefined
  async function isThere(): Promise<boolean> {
    const patience = new AbortController()
    const answer = probe(patience.signal).then(() => true)
    return waitAtMost(answer, { clock, timeoutMs: patienceMs }, () => false)
      .catch(() => false)
      .finally(() => patience.abort())
  }
  return async () => {
    // The next call finds out whether it is back.
    if (isOpen()) return false
    if (asked === undefined || clock.now() - asked.at >= freshMs) asked = { at: clock.now(), answer: isThere() }
    return asked.answer
  }
}
