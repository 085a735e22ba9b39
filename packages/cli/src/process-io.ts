import type { Io } from './io.ts'
import { commandPlugins } from './plugins/command-plugins.ts'
import { watchParent } from './watch-parent.ts'

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
