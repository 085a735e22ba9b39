import type { Io } from './io.ts'
import { commandPlugins } from './plugins.ts'

/** The terminal, environment and clock of this process; a second signal, or the timeout after the first, ends it at once. */
export function processIo(): Io {
  const interrupted = new AbortController()
  let allowedMs = 5000
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => {
      interrupted.abort(name)
      // A system call may block for ever and cannot be aborted. The signal has no listener by now, so it ends the process.
      setTimeout(() => process.kill(process.pid, name), allowedMs).unref()
    })
  }
  watchParent(process, () => interrupted.abort('SIGTERM'))
  return {
    // Node opens each of them on first use, which takes time.
    get stdin() {
      return process.stdin
    },
    get stdout() {
      return process.stdout
    },
    get stderr() {
      return process.stderr
    },
    env: process.env,
    cwd: process.cwd(),
    now: () => performance.now(),
    date: () => new Date(),
    signal: interrupted.signal,
    plugins: commandPlugins(),
    allowToEnd: (ms) => {
      allowedMs = ms
    },
  }
}

const everyMs = 500

/** What is observed of a process. */
interface WatchedProcess {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly ppid: number
}

/**
 * Calls back once when the parent process is gone, if that was npm, npx or similar.
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
