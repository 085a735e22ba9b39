/** Thrown when an index file cannot be read or written; its message names the file. */
export class UnusableFile extends Error {
  override readonly name = 'UnusableFile'
}

/** The code of an error of SQLite or the system. */
export function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** Whether another connection holds the file at the moment. */
export function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error))
}

/** Says what an error of SQLite or the system means for an index file. */
export function fileFailure(error: unknown, file: string): Error {
  if (!(error instanceof Error) || error instanceof UnusableFile || error.name === 'Refused') return error as Error
  const code = codeOf(error)
  const name = JSON.stringify(file)
  const what = /^SQLITE_(CORRUPT|NOTADB)/.test(code)
    ? `the index ${name} is damaged or not an index; delete it and index again`
    : /^SQLITE_FULL|ENOSPC|EDQUOT/.test(code)
      ? `no room on the disk of the index ${name}`
      : /^SQLITE_READONLY|EROFS|EACCES|EPERM/.test(code)
        ? `the index ${name} cannot be written`
        : isBusy(error)
          ? `other processes keep the index ${name} busy`
          : `the index ${name} cannot be used`
  return new UnusableFile(`${what} (${code || error.message})`)
}
