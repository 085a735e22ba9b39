const everyMs = 500

/** What is looked at of a process. */
export interface WatchedProcess {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly ppid: number
}

/**
 * Calls once when the process that started this one is gone, where that was npm, npx or the like.
 * They start commands through a shell, which not always passes a signal on: it ends, and the command would go on for ever.
 */
export function watchParent(of: WatchedProcess, onGone: () => void): void {
  if (of.env.npm_lifecycle_event === undefined) return
  const parent = of.ppid
  const timer = setInterval(() => {
    if (of.ppid === parent) return
    clearInterval(timer)
    onGone()
  }, everyMs)
  timer.unref()
}
