const everyMs = 500

/** What is observed of a process. */
export interface WatchedProcess {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly ppid: number
}

/**
 * * Calls back once when the parent process is gone, if that was npm, npx or similar.
 * They start commands through a shell that does not always forward signals: it exits, and the command would run for
 * ever.
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
