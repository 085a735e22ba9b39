import { type IssueDraft, issue } from '../../contract/issue.ts'
import type { Locale } from '../../contract/locale.ts'
import type { FileKind, FilePort, Ports } from '../../contract/ports.ts'
import type { CheckContext } from '../../contract/validator.ts'
import { ValidatorUnavailable } from '../../contract/validator-unavailable.ts'
import { tooComplexHeader } from '../shared/too-complex-header.ts'
import { locate } from './locate.ts'
import { type EntryType, fileMessages } from './messages.ts'
import type { NamedFiles, UnreadHeader } from './named-files.ts'
import { entrySpans } from './nodes.ts'
import { probe } from './probe.ts'
import { PathSuggester } from './suggest.ts'

/** The codes of issues with named files. */
export type FileCode = 'FILE_NOT_FOUND' | 'FILE_OUTSIDE_ROOT' | 'FILE_ENTRY_NOT_TEXT' | 'FILE_ENTRY_LIMIT' | 'FILE_HEADER_UNREADABLE'

/** Of so many files of the project one may be suggested. */
const mostSuggestible = 20_000

interface Entry {
  readonly index: number
  readonly value: unknown
  /** Where it leads below the root; undefined when it is not text or leads out. */
  readonly path: string | undefined
}

/** Yields what is wrong with the entries of `files.modify`. */
export async function* inspectFiles(
  { header, entries: values }: NamedFiles,
  maxEntries: number,
  { locale, ports, signal }: Pick<CheckContext, 'locale' | 'ports' | 'signal'>,
): AsyncGenerator<IssueDraft<FileCode>> {
  const say = fileMessages[locale]
  const entries = values
    .slice(0, maxEntries)
    .map((value, index): Entry => ({ index, value, path: typeof value === 'string' ? locate(value) : undefined }))
  const paths = new Set(entries.flatMap(({ path }) => path ?? []))
  const kinds: ReadonlyMap<string, FileKind> = paths.size > 0 ? await probe(paths, filesOf(ports), signal) : new Map()
  const isMissing = [...kinds.values()].includes('missing')
  const suggester = isMissing ? await suggesterFor(filesOf(ports), paths, signal) : undefined

  const wrong = entries.filter(({ path }) => path === undefined || kinds.get(path) !== 'file')
  // To read a flood of entries once more costs more than their places are worth.
  const spanOf = wrong.length > 0 && values.length <= maxEntries ? entrySpans(header) : () => undefined
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
  if (values.length > maxEntries) {
    const [message, hint] = say.tooMany(values.length, maxEntries)
    yield issue('FILE_ENTRY_LIMIT', message, { hint, path: ['files', 'modify'] })
  }
}

/** What is wrong with a header that names files and cannot be read; throws where it is too complex for that. */
export function describeUnread({ yaml, span }: UnreadHeader, locale: Locale): IssueDraft<FileCode> {
  if (yaml.refused !== undefined) throw tooComplexHeader(yaml.refused)
  const [message, hint] = fileMessages[locale].unreadable(yaml.reason)
  return issue('FILE_HEADER_UNREADABLE', message, { hint, span })
}

function filesOf({ files }: Ports): FilePort {
  if (files) return files
  throw new ValidatorUnavailable(
    'file_existence cannot look at files: pass the port `files`, such as nodeFiles(root) from @stickler/core/node.',
  )
}

/** Knows the project's files, without those that are named already; none when they cannot be listed, since the verdict stands without. */
async function suggesterFor(port: FilePort, named: ReadonlySet<string>, signal: AbortSignal): Promise<PathSuggester> {
  try {
    const files = await port.list(mostSuggestible, signal)
    return new PathSuggester(files.slice(0, mostSuggestible).filter((file) => !named.has(file)))
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
