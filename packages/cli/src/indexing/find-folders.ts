import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { documentPath, documentsBelow, type IndexEngine, realPlace } from '@stickler/ask/retrieval'
import { unlikeFile } from '@stickler/node/files'
import { noSuchFile, whyNot } from '../config/why-not.ts'
import { UsageError } from '../usage-error.ts'

/** A folder or file to index. */
export interface FolderToIndex {
  /** As written on the command line. */
  readonly written: string
  readonly root: string
  /** What its paths in the index are relative to. */
  readonly base: string
  /** Its own path in the index. */
  readonly name: string
}

/** Finds all folders before reading any. A deleted folder may be named only if the index has documents from it. */
export async function findFolders(
  written: readonly string[],
  { folder: base, engine }: { readonly folder: string; readonly engine: IndexEngine },
  cwd: string,
): Promise<readonly FolderToIndex[]> {
  return Promise.all(
    [...new Set(written)].map(async (folder) => {
      const root = resolve(cwd, folder)
      const fault = await stat(root).then(unlikeFile, (error: unknown) => whyNot(error))
      const refuse = (): never => {
        throw new UsageError(`cannot index ${folder}: ${fault}`)
      }
      if (fault !== undefined && fault !== 'it is a folder' && fault !== noSuchFile) refuse()
      const place = await realPlace({ root, base })
      if (fault === noSuchFile && (await documentsBelow(place, engine)).size === 0) refuse()
      return { written: folder, ...place, name: documentPath(place) }
    }),
  )
}
