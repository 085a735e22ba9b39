import { type ChildProcess, spawn } from 'node:child_process'
import type { ProbeResult, Upstream } from './upstream.ts'

/** The command that is tried. */
export interface ProbedCommand {
  readonly command: string
  readonly cwd?: string | undefined
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
}

const isWindows = process.platform === 'win32'

/** Makes the function that tells whether a command can be run, by asking for its version; nothing of it is left afterwards. */
export function commandProber({ command, cwd, env }: ProbedCommand): NonNullable<Upstream['probe']> {
  const shown = `the command ${JSON.stringify(command)}`
  const failed = (what: string): ProbeResult => ({ ok: false, kind: 'exit', message: `${shown} ${what}` })
  return (signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve(late(shown))
      // A group of its own, so that what it starts can be ended with it.
      const child = spawn(command, ['--version'], { cwd, env, stdio: 'ignore', detached: !isWindows, windowsHide: true })
      const end = (result: ProbeResult): void => {
        signal.removeEventListener('abort', onAbort)
        kill(child)
        resolve(result)
      }
      const onAbort = (): void => end(late(shown))
      signal.addEventListener('abort', onAbort)
      child.on('error', (error: NodeJS.ErrnoException) => {
        const where = cwd === undefined ? '' : `, or its working directory ${JSON.stringify(cwd)} does not exist`
        end(failed(error.code === 'ENOENT' ? `was not found${where}` : `could not be started: ${error.code ?? error.message}`))
      })
      child.on('exit', (code, by) => {
        if (code === 0) end({ ok: true })
        else end(failed(code === null ? `was ended by ${by}` : `ended with exit code ${code} when it was asked for its version`))
      })
    })
}

function late(shown: string): ProbeResult {
  return { ok: false, kind: 'timeout', message: `${shown} did not tell its version in time` }
}

function kill(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    if (isWindows) child.kill('SIGKILL')
    else process.kill(-child.pid, 'SIGKILL')
  } catch {
    // Nobody of the group is left.
  }
}
