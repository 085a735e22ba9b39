import type { Io } from './io.ts'

/** The terminal, environment and clock of this process; a second signal ends it at once. */
export function processIo(): Io {
  const interrupted = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interrupted.abort(name))
  return {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    now: () => performance.now(),
    signal: interrupted.signal,
  }
}
