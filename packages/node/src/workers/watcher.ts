import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Writable } from 'node:stream'

/** The shell that watches; without it, processes end with this one only when it exits by itself. */
const shell = '/bin/sh'
/** Where commands are looked for without a PATH. */
export const usualPath = '/usr/local/bin:/usr/bin:/bin'

/** The variable that everything a process starts inherits, so that what leaves its group can be found. */
const mark = 'STICKLER_CHILD'

/** Starts the command only on request: if this process dies before, nothing has been started. */
const waiting = 'read -r _ <&3 || exit 125; exec 3<&-; exec "$@"'

/**
 * Waits for the end of its input, which the kernel closes even for a process that is killed, then ends the group, politely at first.
 * What has left the group is found by its mark where there is a /proc.
 */
const watching = `
read -r word
if [ "$word" != over ]; then
  kill -s TERM -- "-$1"
  left=$3
  while [ "$left" -gt 0 ] && kill -s 0 -- "-$1"; do sleep 1; left=$((left - 1)); done
  kill -s KILL -- "-$1"
fi
for round in 1 2 3; do
  found=$(grep -lF "$2" /proc/[0-9]*/environ)
  [ -n "$found" ] || exit 0
  for file in $found; do pid=\${file#/proc/}; kill -s KILL "\${pid%%/*}"; done
done
`

/** How to start a command so that it ends with this process. */
interface WatchedCommand {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  /** True when there will be a watcher. */
  readonly isWatched: boolean
}

/** Wraps a command that is to be watched; on Windows, or without a shell, it is started as it is. */
export function watchable(command: string, args: readonly string[], env: WatchedCommand['env'], id: string): WatchedCommand {
  if (process.platform === 'win32' || !existsSync(shell)) return { command, args, env, isWatched: false }
  return { command: shell, args: ['-c', waiting, 'sh', command, ...args], env: { ...env, [mark]: id }, isWatched: true }
}

/** The one that ends a group of processes when this process is gone. */
export interface Watcher {
  /** Reports that the group is gone, so that only processes that left it are ended. */
  over(): void
}

/** Starts the watcher of a wrapped process, then lets the process begin; undefined when the watcher, and therefore the process, cannot be started. */
export function watch(child: ChildProcess, { env }: WatchedCommand, id: string, graceMs: number): Watcher | undefined {
  const seconds = String(Math.max(1, Math.ceil(graceMs / 1000)))
  const watcher = process
    .getBuiltinModule('node:child_process')
    .spawn(shell, ['-c', watching, 'sh', String(child.pid), `${mark}=${id}`, seconds], {
      env: { PATH: env.PATH || usualPath },
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    })
  watcher.on('error', () => {})
  watcher.stdin.on('error', () => {})
  const begin = child.stdio[3] as Writable | null | undefined
  begin?.on('error', () => {})
  if (watcher.pid === undefined) {
    begin?.destroy()
    return undefined
  }
  // It must not keep a program running that has nothing else to do.
  watcher.unref()
  begin?.end('\n')
  return { over: () => watcher.stdin.end('over\n') }
}
