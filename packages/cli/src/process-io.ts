import type { Io } from './io.ts'
import { watchParent } from './watch-parent.ts'

/** The terminal, environment and clock of this process; a second signal ends it at once, and so does the time after the first. */
export function processIo(): Io {
  const interrupted = new AbortController()
  let allowedMs = 5000
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => {
      interrupted.abort(name)
      // Something may wait for ever inside the system, where nothing can be aborted. By now nobody listens to this signal, so it ends the process.
      setTimeout(() => process.kill(process.pid, name), allowedMs).unref()
    })
  }
  watchParent(process, () => interrupted.abort('SIGTERM'))
  return {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    now: () => performance.now(),
    date: () => new Date(),
    signal: interrupted.signal,
    allowToEnd: (ms) => {
      allowedMs = ms
    },
  }
}
