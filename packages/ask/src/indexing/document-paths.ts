import { realpath } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { isWithin } from '@stickler/core/node'
import type { IndexEngine } from '../retrieval/index-engine.ts'

/** A folder or file, and the folder that paths of documents are relative to; both without links, so that a file has one path only. */
export interface IndexedPlace {
  readonly root: string
  readonly base: string
}

/** Finds the real paths of a place. What is gone has one too: that of the folder it was in. */
export async function realPlace({ root, base }: IndexedPlace): Promise<IndexedPlace> {
  const [realRoot, realBase] = await Promise.all([realPathOf(resolve(root)), realPathOf(resolve(base))])
  return { root: realRoot, base: realBase }
}

async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    const parent = dirname(path)
    if (!isMissing(error) || parent === path) throw error
    return join(await realPathOf(parent), basename(path))
  }
}

/** Whether an error says that there is nothing at a path. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}

/** What a file, or a folder, is called in the index: its path from the base, with forward slashes. */
export function documentPath({ root, base }: IndexedPlace, path = ''): string {
  return relative(base, join(root, path)).split(sep).join('/')
}

/** Fingerprints of the documents that are, or were, at or below the root of a place, by their paths. */
export async function documentsBelow(
  place: IndexedPlace,
  engine: Pick<IndexEngine, 'fingerprints'>,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  // Engines compare paths as texts, which says nothing about paths that lead up.
  const name = isWithin(place.root, place.base) ? documentPath(place) : ''
  const known = await engine.fingerprints(name, signal)
  return new Map([...known].filter(([path]) => isWithin(resolve(place.base, path), place.root)))
}
