/** The message of anything thrown. */
export function errorMessage(thrown: unknown): string {
  try {
    return thrown instanceof Error ? String(thrown.message) : String(thrown)
  } catch {
    return 'something without a message'
  }
}

/** The code of an error of the system or a database, such as `ENOENT`; the rest of such an error is not safe to repeat. */
export function systemCode(thrown: unknown): string | undefined {
  const code = typeof thrown === 'object' && thrown !== null && 'code' in thrown ? thrown.code : undefined
  return typeof code === 'string' && /^[A-Z0-9_]{1,40}$/.test(code) ? code : undefined
}
