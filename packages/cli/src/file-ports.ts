import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Ports } from '@stickler/core'
import { nodeFiles } from '@stickler/core/node'
import { UsageError } from './usage-error.ts'

/** Makes the doors to files for the common root, which must be there, or for another one. */
export async function filePorts(common: string | undefined, cwd: string): Promise<(root?: string) => Ports> {
  if (common !== undefined && !(await isFolder(resolve(cwd, common)))) throw new UsageError(`--root: there is no folder ${common}`)
  return (root = common ?? '.') => ({ files: nodeFiles(resolve(cwd, root)) })
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory()
  } catch {
    return false
  }
}
