const reasons: ReadonlyMap<unknown, string> = new Map([
  ['ENOENT', 'there is no such file'],
  ['ENOTDIR', 'there is no such file'],
  ['EISDIR', 'it is a folder'],
  ['ENXIO', 'it is not a regular file'],
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['EEXIST', 'it already exists'],
  ['EROFS', 'the file system is read-only'],
  ['ENOSPC', 'the disk is full'],
])

/** Why a file could not be opened, as a message. */
export function whyNot(error: unknown): string {
  return reasons.get(systemErrorCode(error)) ?? (error instanceof Error ? error.message : String(error))
}

/** Whether there is nothing at the path. */
export function isMissing(error: unknown): boolean {
  const code = systemErrorCode(error)
  return code === 'ENOENT' || code === 'ENOTDIR'
}

/** The code of a system error; its own, because the command loads no other package to show its version. */
export function systemErrorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
