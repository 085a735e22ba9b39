import type { Clock } from '../contract/ports.ts'

/** How late a task may run. */
export const mostLateMs = 25

/** Timers of the platform may fire a moment before their time. */
const earlyMs = 1

interface Wait {
  readonly at: number
  readonly task: () => void
  /** Its place in the list. */
  slot: number
}

/** A clock for limits, most of which are never reached: all waits share one timer, which is there only while something waits, and tasks may run up to 25 ms late. */
export function coarseClock(clock: Clock): Clock {
  const open: Wait[] = []
  let firesAt = Number.POSITIVE_INFINITY
  let stopTimer: () => void = doNothing

  function setTimer(at: number, now: number): void {
    stopTimer()
    firesAt = at
    stopTimer = clock.after(at - now, sweep)
  }

  function clearTimer(): void {
    stopTimer()
    stopTimer = doNothing
    firesAt = Number.POSITIVE_INFINITY
  }

  /** The last one takes its place. */
  function remove(wait: Wait): boolean {
    if (open[wait.slot] !== wait) return false
    const last = open.pop() as Wait
    if (last !== wait) {
      open[wait.slot] = last
      last.slot = wait.slot
    }
    return true
  }

  function sweep(): void {
    clearTimer()
    const now = clock.now()
    const due = open.filter(({ at }) => at <= now + earlyMs).sort((one, other) => one.at - other.at)
    try {
      // A task may cancel others.
      for (const wait of due) if (remove(wait)) wait.task()
    } finally {
      let next = Number.POSITIVE_INFINITY
      for (const { at } of open) next = Math.min(next, at)
      // Not for each wait, since every sweep looks at all of them.
      next = Math.max(next, now + mostLateMs)
      if (open.length > 0 && next < firesAt) setTimer(next, now)
    }
  }

  return {
    now: () => clock.now(),
    after(ms, task) {
      const now = clock.now()
      const wait: Wait = { at: now + Math.max(0, ms), task, slot: open.length }
      open.push(wait)
      if (wait.at < firesAt) setTimer(wait.at, now)
      return () => {
        if (remove(wait) && open.length === 0) clearTimer()
      }
    },
  }
}

function doNothing(): void {}
