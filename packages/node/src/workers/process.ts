import type { ChildProcess, ChildProcessWithoutNullStreams } from 'node:child_process'
import type { Socket } from 'node:net'
import type { Clock, RunnerFailure } from '@stickler/core'
import { ErrorText } from './child-output.ts'
import { findCommand, startFailure } from './find-command.ts'
import { type Watcher, watch, watchable } from './watcher.ts'

/** What to start, and what to do with it. */
interface ProcessSettings {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string | undefined
  /** The whole environment of the process. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** All that the process reads; when absent, its input stays open for `write`. */
  readonly input?: string
  readonly onOutput: (bytes: Uint8Array) => void
  /** Called with the number of bytes its error stream has written so far. */
  readonly onErrorBytes: (count: number) => void
  /** How long a process may take to end when it is asked to. */
  readonly graceMs: number
  readonly clock: Clock
}

/** How a process ended. */
export interface ProcessEnd {
  readonly code: number | null
  readonly signal: string | null
}

/** A process with everything that it starts. */
export interface RunningProcess {
  /** Rejects when the process could not be started. */
  readonly ended: Promise<ProcessEnd>
  /** The last part of what it wrote to its error stream, without secrets. */
  stderr(): string
  /** Gives it more to read. */
  write(text: string): void
  /** Says whether this process must wait for it before it may exit by itself. */
  awaited(isAwaited: boolean): void
  /** Reads no more of it and ends it and everything that it started, politely at first; returns when it is gone. */
  terminate(): Promise<void>
}

const maxStderr = 8192
const isWindows = process.platform === 'win32'

/** Starts a process in a group of its own, so that all of it can be ended; it ends with this process, whatever ends that. */
export function startProcess(settings: ProcessSettings): RunningProcess {
  const { command, args, cwd, env, input, onOutput, onErrorBytes, graceMs, clock } = settings
  // Loaded with the first process: many programs that can start one never do.
  const { spawn } = process.getBuiltinModule('node:child_process')
  const id = process.getBuiltinModule('node:crypto').randomUUID()
  const wrapped = watchable(isWindows ? command : findCommand(command, { cwd, env }), args, env, id)
  const child = spawn(wrapped.command, wrapped.args, {
    cwd,
    env: wrapped.env,
    stdio: ['pipe', 'pipe', 'pipe', ...(wrapped.isWatched ? (['pipe'] as const) : [])],
    detached: !isWindows,
    windowsHide: true,
  })
  const { stdin, stdout, stderr: errors } = child as ChildProcessWithoutNullStreams
  const stderr = new ErrorText(env, maxStderr)
  let errorBytes = 0
  stdout.on('data', onOutput)
  errors.on('data', (bytes: Uint8Array) => {
    errorBytes += bytes.length
    stderr.push(bytes)
    onErrorBytes(errorBytes)
  })
  // A process that exits without reading breaks the pipe; its exit code explains why.
  stdin.on('error', () => {})
  if (input !== undefined) stdin.end(input)
  const forget = endWithUs(child)
  const watcher = child.pid !== undefined && wrapped.isWatched ? watch(child, wrapped, id, graceMs) : unwatched
  const isUnguarded = watcher === undefined

  let giveUp = (): void => {}
  let isOver = false
  const ended = new Promise<ProcessEnd>((resolve, reject) => {
    let cancel = (): void => {}
    const fail = (failure: RunnerFailure): void => {
      isOver = true
      forget()
      reject(failure)
    }
    const finish = (): void => {
      if (isOver) return
      isOver = true
      cancel()
      forget()
      stdout.destroy()
      errors.destroy()
      if (isUnguarded) reject(startFailure(command, 'the process that ends it with this one could not be started'))
      else resolve({ code: child.exitCode, signal: child.signalCode })
    }
    giveUp = finish
    child.once('error', (error) => {
      if (child.pid === undefined) fail(startFailure(command, error.message, error))
    })
    child.once('exit', () => {
      killGroup(child, 'SIGKILL')
      watcher?.over()
      // Something that left the group may hold the pipes open.
      cancel = clock.after(graceMs, finish)
    })
    child.once('close', finish)
  })
  ended.catch(() => {})

  async function terminate(): Promise<void> {
    if (isOver) return
    stdout.destroy()
    errors.destroy()
    killGroup(child, 'SIGTERM')
    const timers = [clock.after(graceMs, () => killGroup(child, 'SIGKILL')), clock.after(3 * graceMs, giveUp)]
    await ended.catch(() => {})
    for (const cancel of timers) cancel()
  }
  function awaited(isAwaited: boolean): void {
    // Pipes of a child are sockets, which their types do not show.
    for (const one of [child, stdin, stdout, errors] as unknown as readonly Pick<Socket, 'ref' | 'unref'>[]) {
      if (isAwaited) one.ref()
      else one.unref()
    }
  }
  return { ended, stderr: () => String(stderr), write: (text) => void stdin.write(text), awaited, terminate }
}

const unwatched: Watcher = { over: () => {} }

function killGroup(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) return
  try {
    if (isWindows) child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch {
    // Nobody of the group is left.
  }
}

const living = new Set<ChildProcess>()

function killLiving(): void {
  for (const child of living) killGroup(child, 'SIGKILL')
}

/** A separate process group would outlive this process for a moment, and for ever without a watcher. */
function endWithUs(child: ChildProcess): () => void {
  if (living.size === 0) process.on('exit', killLiving)
  living.add(child)
  return () => {
    living.delete(child)
    if (living.size === 0) process.off('exit', killLiving)
  }
}
