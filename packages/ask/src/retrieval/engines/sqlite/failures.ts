import { ConfigurationError } from '@stickler/core'
import { systemCode } from '@stickler/core/internal'
import { RetrieverUnavailable } from '../../retriever.ts'

/** Thrown for values that SQLite reads from a file but no index contains. */
export class DamagedFile extends Error {
  override readonly name = 'DamagedFile'
}

/** The SQLite results that matter for an index file. */
const sqlite = { error: 1, busy: 5, locked: 6, readOnly: 8, damaged: 11, full: 13, cannotOpen: 14, constraint: 19, notDatabase: 26 }

/** Statements are fixed: one that SQLite rejects meets foreign tables or rows. */
const signsOfDamage = [sqlite.error, sqlite.damaged, sqlite.constraint, sqlite.notDatabase]

/** The primary result code of SQLite, without what it adds: not all of these have a name in libsql. */
function primaryCode(error: unknown): number {
  const code = typeof error === 'object' && error !== null && 'rawCode' in error ? error.rawCode : undefined
  return typeof code === 'number' ? code & 0xff : 0
}

/** Whether another connection has locked the file. */
export function isBusy(error: unknown): boolean {
  return [sqlite.busy, sqlite.locked].includes(primaryCode(error))
}

/** Whether a file, or the files of its write-ahead log, cannot be opened for writing. */
export function isReadOnly(error: unknown): boolean {
  return [sqlite.cannotOpen, sqlite.readOnly].includes(primaryCode(error))
}

/** Explains an error of SQLite or the system for an index file. */
export function fileFailure(error: unknown, file: string): unknown {
  if (!(error instanceof Error) || error instanceof RetrieverUnavailable || error instanceof ConfigurationError) return error
  return new RetrieverUnavailable(`${meaning(error, JSON.stringify(file))} (${systemCode(error) ?? error.message})`, { cause: error })
}

function meaning(error: Error, name: string): string {
  const primary = primaryCode(error)
  const code = systemCode(error) ?? ''
  if (error instanceof DamagedFile || signsOfDamage.includes(primary))
    return `the index ${name} is damaged or not an index; delete it and index again`
  if (primary === sqlite.full || /^(ENOSPC|EDQUOT)$/.test(code)) return `no disk space left for the index ${name}`
  if (primary === sqlite.readOnly || /^(EROFS|EACCES|EPERM)$/.test(code)) return `the index ${name} cannot be written`
  if (isBusy(error)) return `other processes keep the index ${name} busy`
  return `the index ${name} cannot be used`
}
