import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** How a folder is walked. */
export interface Walk {
  /** How many levels of folders to search; 1 is only the folder itself. */
  readonly depth: number
  /** Whether a folder of this name is entered. */
  enters(name: string): boolean
  /** Called with an unreadable folder and the reason. */
  onFault(path: string, error: unknown): void
  readonly signal: AbortSignal
}

/** Yields the regular files below a folder as relative paths with slashes. Symbolic links are not followed, so there are no loops and nothing outside is found. */
export async function* walkFolder(folder: string, walk: Walk): AsyncGenerator<string> {
  const folders: { readonly path: string; readonly depth: number }[] = [{ path: '', depth: 1 }]
  for (let current = folders.pop(); current !== undefined; current = folders.pop()) {
    walk.signal.throwIfAborted()
    const { path, depth } = current
    for (const entry of await list(join(folder, path), walk)) {
      const below = path === '' ? entry.name : `${path}/${entry.name}`
      if (entry.isFile()) yield below
      else if (entry.isDirectory() && depth < walk.depth && walk.enters(entry.name)) folders.push({ path: below, depth: depth + 1 })
    }
  }
}

async function list(path: string, { onFault }: Walk): Promise<readonly Dirent[]> {
  try {
    return await readdir(path, { withFileTypes: true })
  } catch (error) {
    onFault(path, error)
    return []
  }
}
