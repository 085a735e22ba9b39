import { realpath } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { systemCode } from '@stickler/core/internal'
import { isWithin } from '@stickler/node/internal/files'
import type { IndexEngine } from '../retrieval/index-engine.ts'

/**
 * A folder or file, and the base folder of document paths; both without links, so that a file has
 * only one path.
 */
export interface IndexedPlace {
  readonly root: string
  readonly base: string
}

/** Resolves the real paths of a place. A missing one has a path too: that of its folder. */
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

/** Whether an error means that a path does not exist. */
export function isMissing(error: unknown): boolean {
  const code = systemCode(error)
  return code === 'ENOENT' || code === 'ENOTDIR'
}

/** The name of a file or folder in the index: its path from the base, with forward slashes. */
export function documentPath({ root, base }: IndexedPlace, path = ''): string {
  return relative(base, join(root, path)).split(sep).join('/')
}

/** Fingerprints of the documents that are, or were, at or below the root of a place, by path. */
export async function documentsBelow(
  place: IndexedPlace,
  engine: Pick<IndexEngine, 'fingerprints'>,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  // Engines compare paths as texts, which does not work for paths with `..`.
  const name = isWithin(place.root, place.base) ? documentPath(place) : ''
  const known = await engine.fingerprints(name, signal)
  return new Map([...known].filter(([path]) => isWithin(resolve(place.base, path), place.root)))
}
