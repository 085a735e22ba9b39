const reasons: ReadonlyMap<unknown, string> = new Map([
  ['ENOENT', 'it is gone'],
  ['ENOTDIR', 'it is gone'],
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['ELOOP', 'its links form a loop'],
  ['ENXIO', 'it is not a regular file'],
])

/** Why a file or folder could not be read. */
export function whyUnread(error: unknown, path = ''): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  // Node replaces such bytes, and the resulting name does not exist.
  if (code === 'ENOENT' && path.includes('\ufffd')) return 'its name is not UTF-8'
  return reasons.get(code) ?? (error instanceof Error ? error.message : String(error))
}
