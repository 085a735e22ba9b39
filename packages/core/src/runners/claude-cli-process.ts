import { type ChildProcess, spawn } from 'node:child_process'
import type { Clock } from '../contract/ports.ts'
import { RunnerFailure } from '../engine/runner-failure.ts'

/** What to start, and what to do with it. */
export interface ProcessSettings {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string | undefined
  readonly env: Readonly<Record<string, string | undefined>> | undefined
  /** What the process reads. */
  readonly input: string
  readonly onOutput: (bytes: Uint8Array) => void
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
  /** The last part of what it wrote to its error stream. */
  stderr(): string
  /** Ends it and everything that it started, politely at first; returns when it is gone. */
  terminate(): Promise<void>
}

const maxStderr = 8192
const isWindows = process.platform === 'win32'

/** Starts a process in a group of its own, so that all of it can be ended. */
export function startProcess({ command, args, cwd, env, input, onOutput, graceMs, clock }: ProcessSettings): RunningProcess {
  const child = spawn(command, args, { cwd, env, stdio: 'pipe', detached: !isWindows, windowsHide: true })
  const decoder = new TextDecoder()
  let stderr = ''
  child.stdout.on('data', onOutput)
  child.stderr.on('data', (bytes: Uint8Array) => {
    stderr = (stderr + decoder.decode(bytes, { stream: true })).slice(-maxStderr)
  })
  // A process that ends without reading breaks the pipe: its exit code tells the story.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const forget = endWithUs(child)

  let giveUp = (): void => {}
  let isOver = false
  const ended = new Promise<ProcessEnd>((resolve, reject) => {
    let cancel = (): void => {}
    const finish = (): void => {
      if (isOver) return
      isOver = true
      cancel()
      forget()
      child.stdout.destroy()
      child.stderr.destroy()
      resolve({ code: child.exitCode, signal: child.signalCode })
    }
    giveUp = finish
    child.once('error', (error) => {
      if (child.pid !== undefined) return
      isOver = true
      forget()
      reject(startFailure(command, cwd, error))
    })
    child.once('exit', () => {
      killGroup(child, 'SIGKILL')
      // A grandchild that left the group may hold the pipes open.
      cancel = clock.after(graceMs, finish)
    })
    child.once('close', finish)
  })
  ended.catch(() => {})

  async function terminate(): Promise<void> {
    if (isOver) return
    killGroup(child, 'SIGTERM')
    const timers = [clock.after(graceMs, () => killGroup(child, 'SIGKILL')), clock.after(3 * graceMs, giveUp)]
    await ended.catch(() => {})
    for (const cancel of timers) cancel()
  }
  return { ended, stderr: () => stderr, terminate }
}

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

/** A group of its own would survive the end of this process. */
function endWithUs(child: ChildProcess): () => void {
  if (living.size === 0) process.on('exit', killLiving)
  living.add(child)
  return () => {
    living.delete(child)
    if (living.size === 0) process.off('exit', killLiving)
  }
}

function startFailure(command: string, cwd: string | undefined, error: Error): RunnerFailure {
  const isMissing = 'code' in error && error.code === 'ENOENT'
  const where = cwd === undefined ? '' : `, or its working directory ${JSON.stringify(cwd)} does not exist`
  const reason = isMissing ? `the command was not found${where}` : error.message
  return new RunnerFailure('exit', `could not start ${JSON.stringify(command)}: ${reason}`, { cause: error })
}
