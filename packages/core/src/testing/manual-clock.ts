import type { Clock } from '../contract/ports.ts'

/** A clock whose time changes only on request. */
export interface ManualClock extends Clock {
  /** How many timers are waiting. */
  readonly pending: number
  /** Lets time pass and runs the tasks that fall due, in order, before it returns. */
  advance(ms: number): void
  /** Lets time pass like `advance`, and lets promises settle before each task and at the end. */
  advanceAsync(ms: number): Promise<void>
}

/** Makes a clock that is moved by hand, so that tests of time need no time. */
export function manualClock(start = 0): ManualClock {
  let time = start
  const timers = new Set<{ readonly due: number; readonly task: () => void }>()

  /** Runs the next task that is due by `end`; returns whether there was one. */
  function runNext(end: number): boolean {
    let next: { readonly due: number; readonly task: () => void } | undefined
    for (const timer of timers) {
      if (timer.due <= end && (next === undefined || timer.due < next.due)) next = timer
    }
    time = next === undefined ? end : Math.max(time, next.due)
    if (next === undefined) return false
    timers.delete(next)
    next.task()
    return true
  }

  return {
    now: () => time,
    after(ms, task) {
      const timer = { due: time + Math.max(0, ms), task }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    get pending() {
      return timers.size
    },
    advance(ms) {
      const end = time + ms
      while (runNext(end));
    },
    async advanceAsync(ms) {
      const end = time + ms
      do await settled()
      while (runNext(end))
      await settled()
    },
  }
}

/** One turn of the event loop, after which promises that can settle have settled. */
function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0))
}
