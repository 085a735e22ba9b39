import { spawn } from 'node:child_process'

/** How a program ended, with stdout and stderr in the order in which they were written. */
export interface Ended {
  readonly code: number | null
  readonly output: string
}

interface RunOptions {
  readonly cwd: string
  readonly env?: NodeJS.ProcessEnv
  readonly timeoutMs?: number
  /** Leave stderr out of the output. */
  readonly stdoutOnly?: boolean
}

/** Runs a program to its end; one that outlives its time limit is killed, with everything it started. */
export function run(command: string, args: readonly string[], options: RunOptions): Promise<Ended> {
  const { cwd, env = process.env, timeoutMs = 120_000, stdoutOnly = false } = options
  return new Promise((resolve, reject) => {
    // One pipe for both streams is the only way to keep their order; bash is what joins them.
    const join = stdoutOnly ? 'exec "$@"' : 'exec "$@" 2>&1'
    const child = spawn('bash', ['-c', join, 'bash', command, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'ignore'], detached: true })
    const chunks: Buffer[] = []
    let late = false
    const timer = setTimeout(() => {
      late = true
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    }, timeoutMs)
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.on('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
    child.on('close', (code) => {
      clearTimeout(timer)
      const output = Buffer.concat(chunks).toString()
      if (late) reject(new Error(`${command} ${args.join(' ')} took more than ${timeoutMs} ms:\n${output}`))
      else resolve({ code, output })
    })
  })
}
