import type { Answer, TextSpan } from '@stickler/core'
import type { Heading, ListItem } from '@stickler/core/internal'
import { hasAdrId, readAdrTitle } from '../records/decision-record.ts'
import { documentsOf, type Header, headersOf, isMapping } from '../records/metadata-headers.ts'
import { examplesOf, introducesExample, isTemplate, ownHeadersOf, RecordStarts } from '../records/records.ts'
import { type AdrProfile, isSection } from './profiles.ts'
import { type Segment, segmentsOf } from './segments.ts'

/** A decision record inside an answer. */
export interface AdrDocument {
  readonly header: Header<Answer> | undefined
  /** The headings and list items that are its own. */
  readonly headings: readonly Heading[]
  readonly listItems: readonly ListItem[]
  /** Everything in it that shows something, headings too. */
  readonly blocks: readonly TextSpan[]
  /** What their spans are counted from in the answer; absent when a container indents them. */
  readonly offset: number | undefined
}

/** Finds the decision records of an answer; none when it holds none and none is required. */
export function recogniseAdrs(answer: Answer, profile: AdrProfile, required: boolean): readonly AdrDocument[] {
  if (!profile.headerRequired) return listed(recogniseByHeadings(answer, profile, required))
  const records = recordsOfAnswer(answer, profile)
  if (records.some(({ header }) => header)) return records
  const signs = signsByDocument(profile)
  const header = ownHeadersOf(answer).find((one) => headedAdr(one, signs(one.document)))
  if (header) return [wholeRecord(header, header.document)]
  return required && records.length === 0 ? [wholeRecord(headersOf(answer)[0], answer)] : records
}

/** The records outside of fences and those in Markdown fences that are not examples, in text order. */
function recordsOfAnswer(answer: Answer, profile: AdrProfile): AdrDocument[] {
  const headers = headersOf(answer)
  const examples = examplesOf(answer)
  const fenced = [...documentsOf(answer)].flatMap(([fence, document]) => {
    if (examples.has(document)) return []
    const records = findRecords(document, headers, profile, fence.verbatim ? fence.contentSpan.start : undefined)
    const isExample = records.every(({ header }) => !header) && introducesExample(answer.text, fence)
    return isExample ? [] : records.map((record) => ({ at: fence.span.start, record }))
  })
  const own = findRecords(answer, headers, profile, 0).map((record) => ({ at: record.from, record }))
  return [...own, ...fenced].sort((a, b) => a.at - b.at).map(({ record }) => record)
}

/** Finds the records of one document: those whose headers name an id, or whose headings say so. */
export function findRecords(
  document: Answer,
  headers: readonly Header<Answer>[],
  profile: AdrProfile,
  offset: number | undefined,
): (AdrDocument & { readonly from: number })[] {
  const starts = new RecordStarts()
  const own = headers.filter(
    (header) =>
      header.document === document && (isTemplate(header) || (hasAdrId(header) ? starts.take(header) : mayLackId(header, profile))),
  )
  const makesRecord = ({ header, ...signs }: Segment): boolean =>
    header
      ? !isTemplate(header) && (hasAdrId(header) || headedAdr(header, signs))
      : signs.isUnclosed === true || looksLikeAdr(signs, profile)
  const isForeign = (segment: Segment): boolean => !makesRecord(segment) && !(segment.header && isTemplate(segment.header))
  const foreign = new Set(segmentsOf(document, own, profile).flatMap((segment) => (isForeign(segment) ? [segment.header] : [])))
  const segments = segmentsOf(
    document,
    own.filter((header) => !foreign.has(header)),
    profile,
  )
  const ends = segments.map((_, index) => segments[index + 1]?.from ?? Number.POSITIVE_INFINITY)
  return segments.flatMap((segment, index) => {
    if (!makesRecord(segment)) return []
    const { from, header } = segment
    const begins = ({ start }: TextSpan): boolean => start >= from && start < (ends[index] ?? 0)
    const isOwn = ({ span }: Heading | ListItem): boolean => begins(span)
    const blocks = blocksOf(document).filter(begins)
    return [{ from, header, headings: document.headings.filter(isOwn), listItems: document.listItems.filter(isOwn), blocks, offset }]
  })
}

/** Whether a header without an id has something of a record's: an example of other front matter has not. */
export function mayLackId({ yaml, fenced }: Pick<Header, 'yaml' | 'fenced'>, { fields }: AdrProfile): boolean {
  return !fenced && isMapping(yaml) && fields.some((field) => Object.hasOwn(yaml.value, field))
}

/** A whole text as one record. */
export function wholeRecord(header: Header<Answer> | undefined, body: Answer): AdrDocument {
  const { headings, listItems } = body
  return { header, headings, listItems, blocks: blocksOf(body), offset: header?.document === body ? header.offset : 0 }
}

/** Where a text shows something. */
export function blocksOf({ inlines, codeBlocks, htmlBlocks }: Pick<Answer, 'inlines' | 'codeBlocks' | 'htmlBlocks'>): TextSpan[] {
  return [...inlines, ...codeBlocks.map(({ span }) => span), ...htmlBlocks.filter(({ start, end }) => end > start)]
}

/** What the headings of a text say about it. */
type Signs = Pick<Segment, 'sections' | 'title'>

function readSigns({ headings }: Answer, profile: AdrProfile): Signs {
  const sections = profile.sections.flatMap((section, index) =>
    headings.some((heading) => isSection(heading, section, profile)) ? [index] : [],
  )
  const titles = headings.flatMap(({ level, text, nested }) => (level === 1 && !nested ? (readAdrTitle(text) ?? []) : []))
  const title = titles.find(({ kind }) => kind === 'record') ?? titles[0]
  return title ? { sections, title } : { sections }
}

/** Reads the signs of each document once, however many headers it has. */
function signsByDocument(profile: AdrProfile): (document: Answer) => Signs {
  const known = new Map<Answer, Signs>()
  return (document) => {
    const signs = known.get(document) ?? readSigns(document, profile)
    known.set(document, signs)
    return signs
  }
}

/** With a header, a title or two sections are enough, unless the title is that of a text about a record. */
function headedAdr({ yaml }: Header, { sections, title }: Signs): boolean {
  const named = isMapping(yaml) && typeof yaml.value.title === 'string' ? readAdrTitle(yaml.value.title) : undefined
  const kinds = [title?.kind, named?.kind]
  return kinds.includes('record') || (new Set(sections).size >= 2 && !kinds.includes('about'))
}

/** Without a header, it takes title and a section, or all sections. */
function looksLikeAdr({ sections, title }: Signs, profile: AdrProfile): boolean {
  if (title?.kind === 'record') return sections.length >= 1
  return title === undefined && new Set(sections).size === profile.sections.length
}

function recogniseByHeadings(answer: Answer, profile: AdrProfile, required: boolean): AdrDocument | undefined {
  const signs = signsByDocument(profile)
  const header = headersOf(answer).find(({ atStart, document }) => atStart && document === answer)
  const isAdr = header ? headedAdr(header, signs(answer)) : looksLikeAdr(signs(answer), profile)
  if (required || isAdr) return wholeRecord(header, answer)
  const fenced = headersOf(answer).find((one) => one.document !== answer && one.atStart && headedAdr(one, signs(one.document)))
  return fenced && wholeRecord(fenced, fenced.document)
}

function listed<Value>(value: Value | undefined): Value[] {
  return value === undefined ? [] : [value]
}
