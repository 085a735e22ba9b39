import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { root } from './places.ts'

/** What `.gitignore` keeps out of the repository, and the repository's own folder. */
const notOurs = new Set(['.git', 'node_modules', 'dist', 'coverage', '.docs-run', '.stickler'])

/** All files of the repository below a folder, relative to its root, sorted; asks the disk, as git may not be there. */
export async function walk(folder = '.'): Promise<string[]> {
  const found: string[] = []
  const visit = async (path: string): Promise<void> => {
    for (const entry of await readdir(path, { withFileTypes: true })) {
      if (notOurs.has(entry.name)) continue
      const inside = join(path, entry.name)
      if (entry.isDirectory()) await visit(inside)
      else if (entry.isFile() && !/\.(tgz|tsbuildinfo)$/.test(entry.name)) found.push(relative(root, inside))
    }
  }
  await visit(join(root, folder))
  return found.sort()
}
