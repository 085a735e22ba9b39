import { RunnerFailure } from '@stickler/core'
import { openCancelScope, systemClock } from '@stickler/core/internal'
import { type RunningProcess, startProcess } from '../workers/process.ts'
import type { ClaudeCliSettings } from './claude-cli.ts'
import { ownEnvironment } from './environment.ts'

/** Asks the command for its version, to see whether it can be run; rejects with a RunnerFailure when it cannot. */
export async function checkClaudeCli(
  settings: Pick<ClaudeCliSettings, 'command' | 'cwd' | 'env' | 'graceMs' | 'clock'>,
  signal: AbortSignal,
): Promise<void> {
  const { command = 'claude', cwd, env = ownEnvironment(), graceMs = 2000, clock = systemClock } = settings
  const scope = openCancelScope(signal, clock)
  let child: RunningProcess | undefined
  try {
    await scope.hold(Promise.resolve())
    const ignore = (): void => {}
    child = startProcess({ command, args: ['--version'], cwd, env, input: '', onOutput: ignore, onErrorBytes: ignore, graceMs, clock })
    const { code, signal: by } = await scope.hold(child.ended)
    if (code === 0) return
    const how = code === null ? `was ended by ${by}` : `ended with exit code ${code} when asked for its version`
    throw new RunnerFailure('exit', `${command} ${how}`, code === null ? {} : { exitCode: code })
  } finally {
    scope.release()
    await child?.terminate()
  }
}
