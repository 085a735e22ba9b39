import { type Header, isMapping } from '../../answer/headers.ts'

/** The header that names files, and what its `files.modify` lists. */
export interface NamedFiles {
  readonly header: Header
  /** The whole header as a value. */
  readonly value: Readonly<Record<string, unknown>>
  /** Its `files`. */
  readonly files: Readonly<Record<string, unknown>>
  /** The entries of `files.modify`, of whatever type. */
  readonly entries: readonly unknown[]
}

/** Finds the first header whose `files` is a mapping. */
export function findNamedFiles(headers: Iterable<Header>): NamedFiles | undefined {
  for (const header of headers) {
    if (!isMapping(header.yaml)) continue
    const { value } = header.yaml
    const files = own(value, 'files')
    if (isRecord(files)) return { header, value, files, entries: listOf(own(files, 'modify')) }
  }
  return undefined
}

/** The first header that seems to name files and cannot be read. */
export function unreadFiles(headers: Iterable<Header>): UnreadHeader | undefined {
  for (const { yaml, source, span } of headers) if (!yaml.ok && /^[ \t]*["']?files["']?[ \t]*:/m.test(source)) return { yaml, span }
  return undefined
}

/** A header whose YAML cannot be read. */
export interface UnreadHeader extends Pick<Header, 'span'> {
  readonly yaml: Extract<Header['yaml'], { ok: false }>
}

/** Reads a field that should be a list: nothing is an empty one, a single value a list of one. */
export function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  const isNothing = value === null || value === undefined || (typeof value === 'string' && value.trim() === '')
  return isNothing ? [] : [value]
}

function own(record: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(record, key) ? record[key] : undefined
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
