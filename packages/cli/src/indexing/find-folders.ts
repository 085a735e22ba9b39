import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { unlikeFile } from '@stickler/core/node'
import { whyNot } from '../config/files.ts'
import { pathFrom } from '../retrieval/open-index.ts'
import { UsageError } from '../usage-error.ts'

/** A folder, or a file, that is to be indexed. */
export interface FolderToIndex {
  /** As it was written. */
  readonly written: string
  readonly root: string
  /** What the paths of its documents begin with. */
  readonly name: string
}

/** Finds all folders before any of them is read. */
export async function findFolders(written: readonly string[], base: string, cwd: string): Promise<readonly FolderToIndex[]> {
  return Promise.all(
    [...new Set(written)].map(async (folder) => {
      const root = resolve(cwd, folder)
      const fault = await stat(root).then(unlikeFile, (error: unknown) => whyNot(error))
      if (fault !== undefined && fault !== 'it is a folder') throw new UsageError(`cannot index ${folder}: ${fault}`)
      return { written: folder, root, name: pathFrom(base, root) }
    }),
  )
}
