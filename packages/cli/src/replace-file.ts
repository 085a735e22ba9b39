import { randomUUID } from 'node:crypto'
import { chmod, chown, lstat, rename, rm, writeFile } from 'node:fs/promises'
import { unlikeFile } from '@stickler/core/node'
import { UsageError } from './usage-error.ts'

/**
 * Writes a file in place of a regular one, with its mode and owner, or anew; a link or anything else that is there is left alone and reported.
 * `ready` is awaited last before the file is replaced, and keeps it from being replaced when it throws.
 */
export async function replaceFile(path: string, text: string, ready?: () => Promise<void>): Promise<void> {
  const found = await lstat(path).catch(() => undefined)
  const fault = found && unlikeFile(found)
  if (fault !== undefined) throw new UsageError(fault)
  const draft = `${path}.${randomUUID()}`
  try {
    await writeFile(draft, text, { flag: 'wx', ...(found === undefined ? {} : { mode: found.mode & 0o777 }) })
    if (found !== undefined) {
      // Only root may give files away; for everybody else the owner is the same already.
      await chown(draft, found.uid, found.gid).catch(() => {})
      // What the mask of the process took away.
      await chmod(draft, found.mode & 0o777)
    }
    await ready?.()
    // A link that was put there meanwhile is replaced, not followed.
    await rename(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
}
