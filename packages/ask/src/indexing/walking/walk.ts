import type { Dirent } from 'node:fs'
import { lstat, readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { errorMessage, systemCode } from '@stickler/core/internal'
import { builtFolders, unlikeFile } from '@stickler/node/internal/files'

const reasons: ReadonlyMap<string | undefined, string> = new Map([
  ['ENOENT', 'it is gone'],
  ['ENOTDIR', 'it is gone'],
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['ELOOP', 'its links form a loop'],
  ['ENXIO', 'it is not a regular file'],
])

/** Why a file or folder could not be read. */
export function whyUnread(error: unknown, path = ''): string {
  const code = systemCode(error)
  // Node replaces such bytes, and the resulting name does not exist.
  if (code === 'ENOENT' && path.includes('\ufffd')) return 'its name is not UTF-8'
  return reasons.get(code) ?? errorMessage(error)
}

/** Generated files, and keys. */
const files =
  /^(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|bun\.lockb?|go\.sum|.*\.lock|.*\.min\.(?:js|css)|.*\.map|.*\.tsbuildinfo|id_(?:rsa|dsa|ecdsa|ed25519)|.*\.(?:pem|key|p12|pfx|jks))$/i

/** Why a folder is skipped; undefined for other folders. */
function skippedFolder(name: string): string | undefined {
  if (name.startsWith('.')) return 'it is hidden'
  return builtFolders.has(name) ? 'it holds tool files, not project files' : undefined
}

/** Why a file is skipped, by its name; undefined for other files. */
function skippedFile(name: string): string | undefined {
  if (name.startsWith('.')) return 'it is hidden'
  return files.test(name) ? 'it is a lock file, a build result or a key' : undefined
}

/** An entry found below a folder: a file that may be indexed, or a skipped one, with the reason. */
interface Found {
  /** Relative to the folder, with forward slashes; empty for the folder itself. */
  readonly path: string
  readonly skipped?: string
  /** Whether it need not be reported, because nobody would expect it to be indexed. */
  readonly expected?: true
}

/**
 * Lists the files below a folder in path order; symbolic links are never followed. `root` may be a
 * file. Rejects when `root` does not exist.
 */
export async function* walk(root: string, signal?: AbortSignal): AsyncGenerator<Found> {
  const real = await realpath(root)
  const fault = unlikeFile(await lstat(real))
  if (fault === undefined) yield { path: '' }
  else if (fault.kind !== 'folder') yield { path: '', skipped: fault.message }
  else yield* below(real, '', signal)
}

async function* below(root: string, folder: string, signal: AbortSignal | undefined): AsyncGenerator<Found> {
  signal?.throwIfAborted()
  let entries: Dirent[]
  try {
    entries = await readdir(join(root, folder), { withFileTypes: true })
  } catch (error) {
    if (folder === '') throw error
    yield { path: folder, skipped: whyUnread(error, folder) }
    return
  }
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    const isFolder = entry.isDirectory()
    const expected = isFolder ? skippedFolder(entry.name) : skippedFile(entry.name)
    if (expected !== undefined) yield { path, skipped: expected, expected: true }
    else if (isFolder) yield* below(root, path, signal)
    else yield entry.isFile() ? { path } : { path, skipped: unlikeEntry(entry) }
  }
}

function unlikeEntry(entry: Dirent): string {
  if (entry.isSymbolicLink()) return 'it is a symbolic link, and links are not followed'
  return `it is ${entry.isFIFO() ? 'a named pipe' : entry.isSocket() ? 'a socket' : 'a device'}, not a regular file`
}
