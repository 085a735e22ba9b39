import { closeSync, constants, fstatSync, openSync } from 'node:fs'
import { chmod, chown, lstat, rename, rm, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { unlikeFile } from '@stickler/node/internal/files'
import { UsageError } from '../errors.ts'
import { whyNot } from './why-not.ts'

/**
 * Replaces a regular file, keeping its mode and owner, or creates it; leaves links and anything else alone and
 * reports them.
 * Pieces are written as they come, under another name until all of them are there.
 * `ready` is awaited right before the file is replaced; if it throws, the file is kept.
 */
export async function replaceFile(path: string, text: string | AsyncIterable<string>, ready?: () => Promise<void>): Promise<void> {
  const found = await lstat(path).catch(() => undefined)
  const fault = found && unlikeFile(found)
  if (fault !== undefined) throw new UsageError(fault.message)
  const { randomUUID } = await import('node:crypto')
  const draft = `${path}.${randomUUID()}`
  try {
    await writeFile(draft, typeof text === 'string' ? text : together(text), {
      flag: 'wx',
      ...(found === undefined ? {} : { mode: found.mode & 0o777 }),
    })
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

/** Replaces a file by the name that the command line has for it. Throws a UsageError when it cannot be written; what the pieces themselves throw stays as it is. */
export async function writeNamed(file: string, text: string | AsyncIterable<string>, cwd: string): Promise<void> {
  try {
    await replaceFile(resolve(cwd, file), text)
  } catch (error) {
    const isOfFile = typeof text === 'string' || (error instanceof Error && 'syscall' in error)
    throw isOfFile ? new UsageError(`cannot write ${file}: ${whyNot(error)}`) : error
  }
}

/** Writes a file that is not there yet. */
export async function createFile(path: string, text: string): Promise<void> {
  await writeFile(path, text, { flag: 'wx' })
}

const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK } = constants

/** Opens a file for appending; a named pipe without a reader must not block, because no signal would end that. */
export function openToAppend(path: string): number {
  const descriptor = openSync(path, O_WRONLY | O_APPEND | O_CREAT | (O_NONBLOCK ?? 0), 0o666)
  const found = fstatSync(descriptor)
  // A terminal, or nowhere, is fine.
  const fault = found.isCharacterDevice() ? undefined : unlikeFile(found)
  if (fault === undefined) return descriptor
  closeSync(descriptor)
  throw fault
}

/** Pieces are written together up to this length. */
const atOnce = 65_536

/** Joins short pieces, so that not each of them is a write. */
async function* together(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let waiting = ''
  for await (const piece of pieces) {
    waiting += piece
    if (waiting.length < atOnce) continue
    yield waiting
    waiting = ''
  }
  yield waiting
}
