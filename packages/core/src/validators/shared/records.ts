import { type Header, isMapping } from '../../answer/headers.ts'
import type { IssueDraft } from '../../contract/issue.ts'
import type { Locale } from '../../contract/locale.ts'
import { quote } from '../../contract/quote.ts'
import { hasAdrId } from './decision-record.ts'

/**
 * * Decides for headers, asked in text order, whether each begins a separate record. After front matter that does,
 * YAML fences of the
 * same document are examples; without it, so are those after the first that do not name an id.
 */
export class RecordStarts {
  readonly #known = new Map<unknown, 'front matter' | 'fence'>()

  /** Whether a header that may be a record's begins one. */
  take(header: Pick<Header, 'document' | 'fenced' | 'yaml' | 'source'>): boolean {
    const known = this.#known.get(header.document)
    const isExample = header.fenced && (known === 'front matter' || (known === 'fence' && !hasAdrId(header)))
    if (!isExample) this.#known.set(header.document, header.fenced ? 'fence' : 'front matter')
    return !isExample
  }
}

/** Which of several records of an answer an issue is about. */
export interface RecordPlace {
  /** Its place among them, from 0 on. */
  readonly index: number
  readonly header: Pick<Header, 'yaml' | 'source' | 'span'> | undefined
}

/** Says in an issue which of several records it is about. */
export function aboutRecord<Code extends string>(
  draft: IssueDraft<Code>,
  { index, header }: RecordPlace,
  locale: Locale,
): IssueDraft<Code> {
  const id = header && idOf(header)
  const named = id === undefined ? '' : ` (${quote(id)})`
  const message = `${locale === 'de' ? 'In ADR' : 'In record'} ${index + 1}${named}: ${draft.message}`
  const span = draft.span ?? header?.span
  return { ...draft, message, path: ['records', index, ...(draft.path ?? [])], ...(span ? { span } : {}) }
}

/** The id as it is written: YAML reads `002` as the number 2. */
function idOf({ yaml, source }: Pick<Header, 'yaml' | 'source'>): string | undefined {
  const id = isMapping(yaml) && Object.hasOwn(yaml.value, 'adr_id') ? yaml.value.adr_id : undefined
  if (typeof id === 'string') return id
  if (typeof id !== 'number') return undefined
  const written = /^[ \t]*["']?adr_id["']?[ \t]*:[ \t]*([\w.+-]+)/m.exec(source)?.[1]
  return written !== undefined && Number(written) === id ? written : String(id)
}
