import { closeSync, constants, fstatSync, openSync } from 'node:fs'
import { unlikeFile } from '@stickler/node/files'

const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK } = constants

/** Opens a file for appending; a named pipe without a reader must not block, because no signal would end that. */
export function openToAppend(path: string): number {
  const descriptor = openSync(path, O_WRONLY | O_APPEND | O_CREAT | (O_NONBLOCK ?? 0), 0o666)
  const found = fstatSync(descriptor)
  // A terminal, or nowhere, is fine.
  const fault = found.isCharacterDevice() ? undefined : unlikeFile(found)
  if (fault === undefined) return descriptor
  closeSync(descriptor)
  throw new Error(fault)
}
