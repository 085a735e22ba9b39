import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { RunnerFailure } from '@stickler/core'
import { notStarted } from '@stickler/core/internal'
import { usualPath } from './watcher.ts'

/** Where a command may be found. */
interface CommandPlace {
  readonly cwd: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The full path of a command, as a shell finds it; throws when it is not there or must not be run. */
export function findCommand(command: string, { cwd = '.', env }: CommandPlace): string {
  if (!existsSync(cwd)) throw startFailure(command, `its working directory ${JSON.stringify(cwd)} does not exist`)
  const folders = command.includes('/') ? [''] : (env.PATH || usualPath).split(delimiter)
  const found = folders.map((folder) => resolve(cwd, join(folder, command))).filter(isFile)
  const usable = found.find(isExecutable)
  if (usable !== undefined) return usable
  throw startFailure(command, found.length === 0 ? 'the command was not found' : 'it may not be run (EACCES)')
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    return false
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The failure of a command that cannot be started. */
export function startFailure(command: string, reason: string, cause?: unknown): RunnerFailure {
  return new RunnerFailure('exit', `could not start ${JSON.stringify(command)}: ${reason}`, { code: notStarted, cause })
}
