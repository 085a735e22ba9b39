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

/** Why a header that seems to name files could not be read, when there is one. */
export function unreadFiles(headers: Iterable<Header>): string | undefined {
  for (const { yaml, source } of headers)
    if (!yaml.ok && /^[ \t]*["']?files["']?[ \t]*:/m.test(source)) return yaml.refused ? `it is ${yaml.reason}` : yaml.reason
  return undefined
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
