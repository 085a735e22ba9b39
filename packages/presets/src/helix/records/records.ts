import type { Answer, IssueDraft, Locale } from '@stickler/core'
import type { CodeBlock } from '@stickler/core/internal'
import { quote } from '@stickler/core/validators'
import { hasAdrId, readAdrTitle } from './decision-record.ts'
import { documentsOf, type Header, headersOf, isMapping } from './metadata-headers.ts'

/**
 * Decides for headers, asked in text order, whether each begins a separate record. After front matter that does, YAML fences of the same document are examples; without it, so are those after the first that do not name an id.
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

/** The headers of an answer, without those of examples and templates. */
export function ownHeadersOf(answer: Answer): readonly Header<Answer>[] {
  const examples = examplesOf(answer)
  return headersOf(answer).filter((header) => !examples.has(header.document) && !isTemplate(header))
}

/** The documents in fences that are examples: their id is a blank, or inside a record, which goes on below them or introduces them as examples; read once. */
export function examplesOf(answer: Answer): ReadonlySet<Answer> {
  return answer.derived(readExamples)
}

function readExamples(answer: Answer): ReadonlySet<Answer> {
  const fences = [...documentsOf(answer)]
  if (fences.length === 0) return new Set()
  const starts = [
    ...headersOf(answer).flatMap((header) => (header.document === answer && hasAdrId(header) ? [header.at] : [])),
    ...answer.headings.flatMap(({ level, nested, text, span }) => (level === 1 && !nested && readAdrTitle(text) ? [span.start] : [])),
  ].sort((a, b) => a - b)
  const sections = answer.headings.filter(({ level, nested }) => level > 1 && !nested)
  const blank = new Set(headersOf(answer).flatMap((header) => (isTemplate(header) ? [header.document] : [])))
  const isExample = ([fence, document]: [CodeBlock, Answer]): boolean => {
    if (blank.has(document)) return true
    if (!starts.some((start) => start < fence.span.start)) return false
    const next = starts.find((start) => start >= fence.span.end) ?? Number.POSITIVE_INFINITY
    if (introducesExample(answer.text, fence) || showsShape(answer.text, fence)) return true
    return sections.some(({ span }) => span.start >= fence.span.end && span.start < next)
  }
  return new Set(fences.filter(isExample).map(([, document]) => document))
}

/** Whether the last line of text before a fence calls it an example. */
export function introducesExample(text: string, { span }: Pick<CodeBlock, 'span'>): boolean {
  const before = text.slice(Math.max(0, span.start - 300), span.start).trimEnd()
  return /\b(?:beispiel|vorlage|muster|schablone|examples?|templates?|e\.g\.|z\.\s?b\.)/i.test(before.slice(before.lastIndexOf('\n') + 1))
}

/** Whether the paragraph before a fence says how records in general look, or the heading above it is just `Example`. */
function showsShape(text: string, { span }: Pick<CodeBlock, 'span'>): boolean {
  const before = text.slice(Math.max(0, span.start - 600), span.start).trimEnd()
  const paragraph = before.slice(before.lastIndexOf('\n\n') + 1)
  const heading = before.slice(before.lastIndexOf('\n#') + 1).split('\n', 1)[0] ?? ''
  return generalShape.test(paragraph) || /^#+\s*(?:beispiele?|vorlage|muster|schablone|examples?|templates?)[\s:]*$/i.test(heading)
}

// Of records in general: what "the new record looks like" is a record.
const generalShape =
  /\b(?:an? (?:adr|record)|adrs|records|eine? (?:adr|record)) (?:\w+ )?(?:looks? like|(?:sieht|sähe|sehen|könnte) (?:\w+ ){0,2}so aus)/i

/** Whether the id of a header is a blank to be filled in, as in templates: `NNN`, `XXX`, `000`, `<number>`, `{{id}}`, `…`. */
export function isTemplate({ yaml, source }: Pick<Header, 'yaml' | 'source'>): boolean {
  const id = idOf({ yaml, source })
  return id !== undefined && /^(?:ADR[-\s]?)?(?:[Nn]{2,}|[Xx]{2,}|0{2,}|[?#]+|<.*>|\[.*\]|\{.*\}|\$.*|\.{2,}|…|TBD|TODO)$/.test(id.trim())
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
