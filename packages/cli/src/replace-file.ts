import { randomUUID } from 'node:crypto'
import { lstat, rename, rm, writeFile } from 'node:fs/promises'
import { unlikeFile } from '@stickler/core/node'
import { UsageError } from './usage-error.ts'

/** Writes a file in place of a regular one, or anew; a link or anything else that is there is left alone and told of. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined)
  const fault = found && unlikeFile(found)
  if (fault !== undefined) throw new UsageError(fault)
  const draft = `${path}.${randomUUID()}`
  try {
    await writeFile(draft, text, { flag: 'wx', ...(found === undefined ? {} : { mode: found.mode & 0o777 }) })
    // A link that was put there meanwhile is replaced, not followed.
    await rename(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
}
