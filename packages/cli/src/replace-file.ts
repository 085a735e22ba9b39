import { chmod, chown, lstat, rename, rm, writeFile } from 'node:fs/promises'
import { unlikeFile } from '@stickler/node/files'
import { UsageError } from './usage-error.ts'

/**
 * * Replaces a regular file, keeping its mode and owner, or creates it; leaves links and anything else alone and
 * reports them.
 * `ready` is awaited right before the file is replaced; if it throws, the file is kept.
 */
export async function replaceFile(path: string, text: string, ready?: () => Promise<void>): Promise<void> {
  const found = await lstat(path).catch(() => undefined)
  const fault = found && unlikeFile(found)
  if (fault !== undefined) throw new UsageError(fault)
  const { randomUUID } = await import('node:crypto')
  const draft = `${path}.${randomUUID()}`
  try {
    await writeFile(draft, text, { flag: 'wx', ...(found === undefined ? {} : { mode: found.mode & 0o777 }) })
    if (found !== undefined) {
      // Only root can change owners; for other users the owner is already the same.
      await chown(draft, found.uid, found.gid).catch(() => {})
      // Restore what the umask removed.
      await chmod(draft, found.mode & 0o777)
    }
    await ready?.()
    // A link created meanwhile is replaced, not followed.
    await rename(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
}
