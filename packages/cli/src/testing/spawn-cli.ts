import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const stickler = fileURLToPath(new URL('../../bin/stickler.js', import.meta.url))

/** The built command in a process of its own. */
export interface SpawnedCli {
  readonly child: ChildProcess
  readonly output: { stdout: string; stderr: string }
  /** Its exit code, or null when a signal has ended it. */
  readonly ended: Promise<number | null>
}

/** Starts the built command; it is killed with the test. */
export function spawnCli(argv: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}): SpawnedCli {
  const child = spawn(process.execPath, [stickler, ...argv], { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (chunk: Buffer) => {
      output[name] += chunk.toString()
    })
  onTestFinished(() => void child.kill('SIGKILL'))
  return { child, output, ended: new Promise((resolve) => child.on('close', resolve)) }
}
