import {
  type CheckContext,
  type FileKind,
  type FilePort,
  type IssueDraft,
  issue,
  type Locale,
  type Ports,
  type TextSpan,
  ValidatorUnavailable,
} from '@stickler/core'
import { type Document, isMap, isScalar, isSeq, type Pair, parseDocument, type YAMLMap } from '@stickler/core/internal/yaml'
import type { Header } from '../records/metadata-headers.ts'
import { aboutRecord } from '../records/records.ts'
import { tooComplexHeader } from '../records/too-complex-header.ts'
import { locate } from './locate.ts'
import { type EntryType, fileMessages } from './messages.ts'
import { type FileHeader, isRead, type NamedFiles, type UnreadHeader } from './named-files.ts'
import { PathSuggester } from './suggest.ts'

/** So many look-ups run at once: file handles are few. */
const concurrency = 8

/** Looks up what is at each of the paths, a few at a time. */
export async function probe(paths: ReadonlySet<string>, port: FilePort, signal: AbortSignal): Promise<ReadonlyMap<string, FileKind>> {
  const kinds = new Map<string, FileKind>()
  const waiting = paths.values()
  const work = async (): Promise<void> => {
    // All workers draw from the same iterator.
    for (const path of waiting) {
      signal.throwIfAborted()
      kinds.set(path, path === '' ? 'directory' : await port.kind(path, signal))
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return kinds
}

/** The codes of issues with named files. */
type FileCode = 'FILE_NOT_FOUND' | 'FILE_OUTSIDE_ROOT' | 'FILE_ENTRY_NOT_TEXT' | 'FILE_ENTRY_LIMIT' | 'FILE_HEADER_UNREADABLE'

/** Of so many files of the project one may be suggested. */
const mostSuggestible = 20_000

interface Entry {
  readonly index: number
  readonly value: unknown
  /** Where it leads below the root; undefined when it is not text or leads out. */
  readonly path: string | undefined
}

type Context = Pick<CheckContext, 'locale' | 'ports' | 'signal'>

/** What is at the paths that an answer names. */
interface Found {
  readonly kinds: ReadonlyMap<string, FileKind>
  readonly suggester: PathSuggester | undefined
}

/** Yields what is wrong with the files that each of the headers names; of all of them together at most `maxEntries` are looked up. */
export async function* inspectFiles(
  all: readonly FileHeader[],
  maxEntries: number,
  context: Context,
): AsyncGenerator<IssueDraft<FileCode>> {
  let left = maxEntries
  const records = all.map((named) => {
    const entries = isRead(named) ? readEntries(named, left) : []
    left -= entries.length
    return { named, entries }
  })
  const found = await lookUp(new Set(records.flatMap(({ entries }) => entries.flatMap(({ path }) => path ?? []))), context)
  for (const { named, entries } of records) {
    const drafts = isRead(named)
      ? inspectEntries(named, entries, maxEntries, found, context.locale)
      : [describeUnread(named, context.locale)]
    for (const draft of drafts)
      yield named.record === undefined ? draft : aboutRecord(draft, { index: named.record, header: named.header }, context.locale)
  }
}

function readEntries({ entries }: NamedFiles, most: number): Entry[] {
  return entries.slice(0, most).map((value, index) => ({ index, value, path: typeof value === 'string' ? locate(value) : undefined }))
}

async function lookUp(paths: ReadonlySet<string>, { ports, signal }: Context): Promise<Found> {
  const kinds: ReadonlyMap<string, FileKind> = paths.size > 0 ? await probe(paths, filesOf(ports), signal) : new Map()
  const isMissing = [...kinds.values()].includes('missing')
  return { kinds, suggester: isMissing ? await suggesterFor(filesOf(ports), paths, signal) : undefined }
}

function* inspectEntries(
  { header, entries: values }: NamedFiles,
  entries: readonly Entry[],
  maxEntries: number,
  { kinds, suggester }: Found,
  locale: Locale,
): Generator<IssueDraft<FileCode>> {
  const say = fileMessages[locale]
  const wrong = entries.filter(({ path }) => path === undefined || kinds.get(path) !== 'file')
  const isCut = values.length > entries.length
  // To read a flood of entries once more costs more than their places are worth.
  const spanOf = wrong.length > 0 && !isCut ? entrySpans(header) : () => undefined
  for (const { index, value, path } of wrong) {
    const span = spanOf(index)
    const place = { path: ['files', 'modify', index], ...(span ? { span } : {}) }
    const kind = path === undefined ? 'outside' : kinds.get(path)
    if (typeof value !== 'string') {
      const [message, hint] = say.notText(index + 1, typeOf(value))
      yield issue('FILE_ENTRY_NOT_TEXT', message, { hint, ...place })
    } else if (kind === 'outside') {
      const [message, hint] = say.outside(value)
      yield issue('FILE_OUTSIDE_ROOT', message, { hint, ...place })
    } else if (kind === 'missing') {
      const suggestion = suggester?.suggest(path ?? '')
      const [message, hint] = say.missing(value, suggestion)
      yield issue('FILE_NOT_FOUND', message, { hint, ...place, ...(suggestion === undefined ? {} : { suggestion }) })
    } else {
      const [message, hint] = kind === 'directory' ? say.directory(value) : say.special(value)
      yield issue('FILE_NOT_FOUND', message, { hint, ...place })
    }
  }
  if (isCut) {
    const [message, hint] = say.tooMany(values.length, maxEntries)
    yield issue('FILE_ENTRY_LIMIT', message, { hint, path: ['files', 'modify'] })
  }
}

/** What is wrong with a header that names files and cannot be read; throws where it is too complex for that. */
function describeUnread({ header: { yaml, span } }: UnreadHeader, locale: Locale): IssueDraft<FileCode> {
  if (yaml.refused !== undefined) throw tooComplexHeader(yaml.refused)
  const [message, hint] = fileMessages[locale].unreadable(yaml.reason)
  return issue('FILE_HEADER_UNREADABLE', message, { hint, span })
}

function filesOf({ files }: Ports): FilePort {
  if (files) return files
  throw new ValidatorUnavailable('file_existence cannot look at files: pass the port `files`, such as nodeFiles(root) from @stickler/node.')
}

/** Knows the project's files, and suggests none that are named already; none when they cannot be listed, since the verdict does not need them. */
export async function suggesterFor(port: FilePort, named: ReadonlySet<string>, signal: AbortSignal): Promise<PathSuggester> {
  try {
    const files = await port.list(mostSuggestible, signal)
    return new PathSuggester(files.slice(0, mostSuggestible), named)
  } catch (error) {
    if (signal.aborted) throw error
    return new PathSuggester([])
  }
}

function typeOf(value: unknown): EntryType {
  if (value === null || value === undefined) return 'empty'
  if (Array.isArray(value)) return 'list'
  if (typeof value === 'object') return 'mapping'
  return typeof value === 'boolean' ? 'boolean' : 'number'
}

/** Finds the node of `files` in the source of a header that has been read before; undefined when it is elsewhere, through an alias. */
export function parseFiles(source: string): YAMLMap | undefined {
  // The parser does not support CR line breaks; replacing one character by one keeps its offsets.
  const document: Document = parseDocument(source.replace(/\r(?!\n)/g, '\n'), {
    schema: 'core',
    prettyErrors: false,
    logLevel: 'silent',
    keepSourceTokens: true,
  })
  const files = isMap(document.contents) ? pairOf(document.contents, 'files')?.value : undefined
  return isMap(files) ? files : undefined
}

/** The pair of a key. */
export function pairOf(map: YAMLMap, key: string): Pair | undefined {
  return map.items.find((pair) => isScalar(pair.key) && pair.key.value === key)
}

/** Finds where in the answer an entry of `files.modify` is, if possible. */
function entrySpans({ source, sourceSpan }: Header): (index: number) => TextSpan | undefined {
  const files = sourceSpan && parseFiles(source)
  const value = files && pairOf(files, 'modify')?.value
  const nodes: readonly unknown[] = isSeq(value) ? value.items : [value]
  return (index) => {
    const range = rangeOf(nodes[index])
    return range && sourceSpan && { start: sourceSpan.start + range.start, end: sourceSpan.start + range.end }
  }
}

/** Where the value of a node is in the source, without what follows it. */
export function rangeOf(node: unknown): TextSpan | undefined {
  if (typeof node !== 'object' || node === null || !('range' in node) || !Array.isArray(node.range)) return undefined
  const [start, end] = node.range as readonly number[]
  return start === undefined || end === undefined ? undefined : { start, end }
}
