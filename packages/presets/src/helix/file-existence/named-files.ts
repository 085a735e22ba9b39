import { isFields } from '@stickler/core/internal'
import { hasAdrId } from '../records/decision-record.ts'
import { type Header, isMapping } from '../records/metadata-headers.ts'
import { RecordStarts } from '../records/records.ts'

/** A header that names files, and what its `files.modify` lists. */
export interface NamedFiles {
  readonly header: Header
  /** The whole header as a value. */
  readonly value: Readonly<Record<string, unknown>>
  /** Its `files`. */
  readonly files: Readonly<Record<string, unknown>>
  /** The entries of `files.modify`, of whatever type. */
  readonly entries: readonly unknown[]
}

/** A header whose YAML cannot be read, although it seems to name files. */
export interface UnreadHeader {
  readonly header: Header & { readonly yaml: Extract<Header['yaml'], { ok: false }> }
}

/** A header that names files or seems to, and which of the answer's records it belongs to, where there are several. */
export type FileHeader = (NamedFiles | UnreadHeader) & { readonly record?: number }

/** Finds the headers that name files, each that of a record of its own, and those that seem to and cannot be read. */
export function findNamedFiles(headers: readonly Header[]): FileHeader[] {
  const [naming, identified] = [new RecordStarts(), new RecordStarts()]
  const documents = new Set<unknown>()
  const found: ((NamedFiles | UnreadHeader) & { readonly record: number })[] = []
  let records = 0
  for (const header of headers) {
    const named = readNamed(header)
    const isNext = hasAdrId(header) ? identified.take(header) : named !== undefined && !(header.fenced && documents.has(header.document))
    if (isNext) {
      records++
      documents.add(header.document)
    }
    if (named && naming.take(header)) found.push({ ...named, record: records - 1 })
  }
  return records > 1 ? found : found.map(({ record: _record, ...named }) => named)
}

/** Whether a header could be read. */
export function isRead(named: NamedFiles | UnreadHeader): named is NamedFiles {
  return 'files' in named
}

function readNamed(header: Header): NamedFiles | UnreadHeader | undefined {
  const { yaml, source } = header
  if (!yaml.ok) return /^[ \t]*["']?files["']?[ \t]*:/m.test(source) ? { header: { ...header, yaml } } : undefined
  if (!isMapping(yaml)) return undefined
  const { value } = yaml
  const files = own(value, 'files')
  return isFields(files) ? { header, value, files, entries: listOf(own(files, 'modify')) } : undefined
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
