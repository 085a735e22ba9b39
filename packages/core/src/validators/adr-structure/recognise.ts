import type { Answer } from '../../answer/answer.ts'
import { type Header, headersOf, isMapping } from '../../answer/headers.ts'
import type { Heading, ListItem } from '../../answer/outline.ts'
import { hasAdrId, isAdrTitle } from '../shared/decision-record.ts'
import { RecordStarts } from '../shared/records.ts'
import type { AdrProfile } from './profiles.ts'

/** A decision record inside an answer. */
export interface AdrDocument {
  readonly header: Header<Answer> | undefined
  /** The headings and list items that are its own. */
  readonly headings: readonly Heading[]
  readonly listItems: readonly ListItem[]
  /** What their spans are counted from in the answer; absent when a container indents them. */
  readonly offset: number | undefined
}

/** Finds the decision records of an answer; none when it holds none and none is required. */
export function recogniseAdrs(answer: Answer, profile: AdrProfile, required: boolean): readonly AdrDocument[] {
  const records = profile.headerRequired ? findRecords(headersOf(answer), profile) : []
  if (records.length > 0) return records
  const found = profile.headerRequired ? recogniseBySigns(answer, profile, required) : recogniseByHeadings(answer, profile, required)
  return found ? [found] : []
}

/** Finds the records whose headers name an id, or whose front matter and headings say so; each ends where the next of its document begins. */
export function findRecords(headers: readonly Header<Answer>[], profile: AdrProfile): AdrDocument[] {
  const starts = new RecordStarts()
  const candidates = headers.filter((header) => (hasAdrId(header) ? starts.take(header) : mayLackId(header, profile)))
  const records = cutRecords(candidates).filter((record) => hasAdrId(record.header) || headedAdr(record.header, readSigns(record, profile)))
  return cutRecords(records.map(({ header }) => header))
}

/** Whether a header without an id has something of a record's: an example of other front matter has not. */
export function mayLackId({ yaml, fenced }: Pick<Header, 'yaml' | 'fenced'>, { fields }: AdrProfile): boolean {
  return !fenced && isMapping(yaml) && fields.some((field) => Object.hasOwn(yaml.value, field))
}

/** Gives each header what is from there to the next one of the same document; the first one also what comes before it. */
function cutRecords(headers: readonly Header<Answer>[]): (AdrDocument & { readonly header: Header<Answer> })[] {
  const firsts = new Map<Answer, Header<Answer>>()
  for (const header of headers) if (!firsts.has(header.document)) firsts.set(header.document, header)
  const ends = new Map<Answer, number>()
  const cut = headers.toReversed().map((header) => {
    const { document, offset, at } = header
    const from = firsts.get(document) === header ? 0 : at
    const to = ends.get(document) ?? Number.POSITIVE_INFINITY
    ends.set(document, at)
    const isOwn = ({ span }: Heading | ListItem): boolean => span.start >= from && span.start < to
    return { header, headings: document.headings.filter(isOwn), listItems: document.listItems.filter(isOwn), offset }
  })
  return cut.toReversed()
}

/** A whole text as one record. */
export function wholeRecord(header: Header<Answer> | undefined, body: Answer): AdrDocument {
  return { header, headings: body.headings, listItems: body.listItems, offset: header?.document === body ? header.offset : 0 }
}

/** Finds a decision record that does not name its id. */
function recogniseBySigns(answer: Answer, profile: AdrProfile, required: boolean): AdrDocument | undefined {
  const signs = signsByDocument(profile)
  const header = headersOf(answer).find((one) => headedAdr(one, signs(one.document)))
  if (header) return wholeRecord(header, header.document)
  if (required || looksLikeAdr(signs(answer), profile)) return wholeRecord(headersOf(answer)[0], answer)
  return undefined
}

/** Whether a heading is a section that the profile asks for. */
export function isSection(heading: Heading, section: string, { ignoreCase, anyLevel }: AdrProfile): boolean {
  if (heading.nested || heading.level < 2 || (heading.level > 2 && !anyLevel)) return false
  return ignoreCase ? heading.text.toLowerCase() === section.toLowerCase() : heading.text === section
}

/** What the headings of a document say about it. */
interface Signs {
  readonly sections: number
  readonly titled: boolean
}

function readSigns({ headings }: Pick<AdrDocument, 'headings'>, profile: AdrProfile): Signs {
  const sections = profile.sections.filter((section) => headings.some((heading) => isSection(heading, section, profile))).length
  return { sections, titled: headings.some(({ level, text, nested }) => level === 1 && !nested && isAdrTitle(text)) }
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

/** With a header, a title or two sections are enough. */
function headedAdr({ yaml }: Header, { sections, titled }: Signs): boolean {
  return titled || sections >= 2 || (isMapping(yaml) && typeof yaml.value.title === 'string' && isAdrTitle(yaml.value.title))
}

/** Without a header, it takes title and a section, or all sections. */
function looksLikeAdr({ sections, titled }: Signs, profile: AdrProfile): boolean {
  return (titled && sections >= 1) || sections === profile.sections.length
}

function recogniseByHeadings(answer: Answer, profile: AdrProfile, required: boolean): AdrDocument | undefined {
  const signs = signsByDocument(profile)
  const header = headersOf(answer).find(({ atStart, document }) => atStart && document === answer)
  const isAdr = header ? headedAdr(header, signs(answer)) : looksLikeAdr(signs(answer), profile)
  if (required || isAdr) return wholeRecord(header, answer)
  const fenced = headersOf(answer).find((one) => one.document !== answer && one.atStart && headedAdr(one, signs(one.document)))
  return fenced && wholeRecord(fenced, fenced.document)
}
