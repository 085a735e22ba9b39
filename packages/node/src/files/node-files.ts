import type { Dirent, Stats } from 'node:fs'
import { lstat, readdir, readlink, realpath } from 'node:fs/promises'
import { isAbsolute, join, parse, resolve, sep } from 'node:path'
import type { FileKind, FilePort } from '@stickler/core'

/** As many links as Linux follows; more are a loop. */
const mostLinks = 40

/** Names of folders that hold no file of the project itself. */
export const builtFolders: ReadonlySet<string> = new Set(['.git', 'node_modules', 'dist', 'build', 'target', 'coverage'])

/** Looks at the files below a folder of this machine; never opens one, and never looks at anything outside of the folder. */
export function nodeFiles(root: string): FilePort {
  const given = resolve(root)
  return {
    // The root is resolved each time: it may be a link that changes with every release.
    kind: async (path, signal) => kindOf(path, { given, real: await realpath(given) }, signal),
    list: async (limit, signal) => listFiles(await realpath(given), limit, signal),
  }
}

interface Root {
  readonly given: string
  readonly real: string
}

/** Follows a path step by step, so that a link is known to lead out before anything outside is touched. */
async function kindOf(path: string, root: Root, signal: AbortSignal | undefined): Promise<FileKind> {
  if (isAbsolute(path)) return 'outside'
  const steps = stepsOf(path).reverse()
  let at = root.real
  let found: Stats | undefined
  let links = 0
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    signal?.throwIfAborted()
    if (found && !found.isDirectory()) return 'missing'
    const next = join(at, step)
    // The folders above the root have no links in them, so a link may pass through them on its way back.
    const isAbove = next !== root.real && isWithin(root.real, next)
    if (!isAbove && !isWithin(next, root.real)) return 'outside'
    found = isAbove ? undefined : await stand(next)
    if (!isAbove && found === undefined) return 'missing'
    if (!found?.isSymbolicLink()) {
      at = next
      continue
    }
    if (++links > mostLinks) return 'missing'
    const target = rebase(await readlink(next), root)
    if (isAbsolute(target)) at = parse(target).root
    found = undefined
    steps.push(...stepsOf(target.slice(isAbsolute(target) ? at.length : 0)).reverse())
  }
  if (!isWithin(at, root.real)) return 'outside'
  return found?.isFile() ? 'file' : found === undefined || found.isDirectory() ? 'directory' : 'other'
}

/** What is at a path itself, without following links. */
async function stand(path: string): Promise<Stats | undefined> {
  if (path.includes('\0')) return undefined
  try {
    return await lstat(path)
  } catch (error) {
    if (nothingThere.has((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}

const nothingThere = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP'])

/** A link into the root by the name it was given, as one by its real name. */
function rebase(target: string, { given, real }: Root): string {
  return isWithin(target, given) ? real + target.slice(given.length) : target
}

/** Whether a path is a folder, or lies below it; both are absolute. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

function stepsOf(path: string): string[] {
  return path.split(sep === '\\' ? /[\\/]/ : '/').filter((step) => step !== '' && step !== '.')
}

/** Lists files breadth first, each folder in the order of its names; links are not followed. */
async function listFiles(root: string, limit: number, signal: AbortSignal | undefined): Promise<string[]> {
  const files: string[] = []
  const folders = ['']
  for (const folder of folders) {
    signal?.throwIfAborted()
    for (const entry of await entriesOf(root, folder)) {
      if (files.length >= limit) return files
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isFile()) files.push(path)
      else if (entry.isDirectory() && !builtFolders.has(entry.name) && folders.length < limit) folders.push(path)
    }
  }
  return files
}

/** A folder that cannot be read, or is gone by now, has nothing to list; the root itself must be there. */
async function entriesOf(root: string, folder: string): Promise<Dirent[]> {
  try {
    const entries = await readdir(join(root, folder), { withFileTypes: true })
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    if (folder === '') throw error
    return []
  }
}
