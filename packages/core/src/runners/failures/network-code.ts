import type { FailureKind } from '../../engine/runner-failure.ts'

/** How deep causes are followed: they may form a circle. */
const deepest = 8

/** What a thrown thing holds under a name; nothing when reading it throws. */
export function fieldOf(holder: unknown, name: string): unknown {
  try {
    return (typeof holder === 'object' && holder !== null) || typeof holder === 'function' ? Reflect.get(holder, name) : undefined
  } catch {
    return undefined
  }
}

/** A thrown thing and its causes, the outermost first. */
export function* causesOf(thrown: unknown): Generator<unknown> {
  let current = thrown
  for (let depth = 0; depth < deepest && typeof current === 'object' && current !== null; depth++) {
    yield current
    const errors = fieldOf(current, 'errors')
    // A connection to several addresses fails once for each; a client that repeats calls keeps the last failure.
    current = fieldOf(current, 'lastError') ?? fieldOf(current, 'cause') ?? (Array.isArray(errors) ? errors.at(-1) : undefined)
  }
}

/** The code of the innermost cause that has one, such as `ECONNREFUSED`; empty when none has. */
export function codeOf(thrown: unknown): string {
  let code = ''
  for (const cause of causesOf(thrown)) {
    const own = fieldOf(cause, 'code')
    if (typeof own === 'string') code = own
  }
  return code
}

/** The kind of a failure below HTTP: a time limit, bytes that are not HTTP, or a connection that could not be made or broke. */
export function kindOfConnection(thrown: unknown): FailureKind {
  const code = codeOf(thrown)
  if (/TIMEOUT|TIMEDOUT/.test(code)) return 'timeout'
  // Newer versions of Node leave out the code of what is not HTTP at all.
  for (const cause of causesOf(thrown)) if (fieldOf(cause, 'name') === 'HTTPParserError') return 'protocol'
  // Not valid HTTP, or a body that is not as long or not encoded as its header says.
  return /^(?:HPE_|Z_|ERR_BROTLI|ERR__ERROR|ERR_ZSTD|ZSTD_|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES)/.test(code) ? 'protocol' : 'connection'
}
