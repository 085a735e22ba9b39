import type { Answer } from '@stickler/core'
import type { Heading } from '@stickler/core/internal'
import type { Outline } from '@stickler/core/internal/validators'
import { type AdrTitle, readAdrTitle } from '../records/decision-record.ts'
import { type Header, isMapping } from '../records/metadata-headers.ts'
import { type AdrProfile, isSection } from './profiles.ts'

/** A part of a document that may be a record, and what it has of one. */
export interface Segment {
  readonly from: number
  header?: Header<Answer>
  title?: AdrTitle
  /** Whether its header is begun and never closed. */
  isUnclosed?: boolean
  /** Whether its title is there again, so that its sections may be, too. */
  isRepeated?: boolean
  /** Which sections of the profile it has, in text order. */
  readonly sections: number[]
  /** Whether only its sections say that a record begins here: it must have all of them. */
  readonly isGuess: boolean
}

/** A place where a record may begin or go on. */
interface Mark {
  readonly at: number
  readonly header?: Header<Answer>
  readonly isUnclosed?: boolean
  readonly title?: AdrTitle
  /** The title of a record that is not of level 1. */
  readonly inner?: AdrTitle
  readonly section?: number
  /** The title of a record in the heading before this section, when it is not of level 1. */
  readonly under?: AdrTitle | undefined
}

/**
 * Divides a document where headers, titles and repeated sections begin another record, so that no record has sections of
 * another one.
 */
export function segmentsOf(document: Answer, headers: readonly Header<Answer>[], profile: AdrProfile): Segment[] {
  const begun = headers.map((header): Mark => ({ at: header.at, header }))
  const unclosed = document.unclosedHeaders.filter(beginsRecord).map(({ start }): Mark => ({ at: start, isUnclosed: true }))
  const marks = [...begun, ...unclosed, ...marksOf(document, profile)].sort((a, b) => a.at - b.at)
  let current: Segment = { from: 0, sections: [], isGuess: false }
  const segments = [current]
  const open = (segment: Omit<Segment, 'sections'>): void => {
    current = { ...segment, sections: [] }
    segments.push(current)
  }
  for (const [index, { at, header, isUnclosed, title, inner, section, under }] of marks.entries()) {
    if (header) {
      if (!current.header && belongs(header, current, marks, index + 1)) current.header = header
      else open({ from: at, header, isGuess: false })
    } else if (isUnclosed) {
      if (current.header || current.isUnclosed || current.sections.length > 0) open({ from: at, isGuess: false, isUnclosed })
      else current.isUnclosed = isUnclosed
    } else if (title) {
      if ((current.header || current.isUnclosed) && !current.title && current.sections.length === 0) current.title = title
      else if (repeats(title, current)) current.isRepeated = true
      else open({ from: at, title, isGuess: false })
    } else if (inner) {
      const isBegun = current.title !== undefined || current.sections.length > 0
      if (isBegun && isOther(inner, current.header)) open({ from: at, title: inner, isGuess: false })
    } else if (section !== undefined) {
      if (!current.isRepeated && isBefore(section, current) && !(under && repeats(under, current)))
        open({ from: at, isGuess: !under, ...(under ? { title: untitled } : {}) })
      current.sections.push(section)
    }
  }
  return joined(segments, profile)
}

/** A number and a name; verbs, as in "ADR-002 is replaced", begin with a small letter. */
const named = /^[Aa][Dd][Rr][-\s#]{0,3}\d{1,9}\s+["'„“(]?[\p{Lu}\p{N}]/u

/** The title of a record whose title is not of level 1. */
const untitled: AdrTitle = { kind: 'record', number: undefined }

function marksOf({ headings, text }: Answer, profile: AdrProfile): Mark[] {
  const sectionOf = (heading: Heading): number => profile.sections.findIndex((name) => isSection(heading, name, profile))
  let under: AdrTitle | undefined
  return headings.flatMap((heading, index): Mark[] => {
    if (heading.nested) return []
    const at = heading.span.start
    const section = sectionOf(heading)
    const next = headings[index + 1]
    const isBare = next !== undefined && sectionOf(next) >= 0 && text.slice(heading.span.end, next.span.start).trim() === ''
    const above = readInnerTitle(heading, section, isBare)
    const inner = above ? [{ at: above.at, inner: above.title }] : []
    if (section >= 0) return [...inner, { at, section, under }]
    const title = readAdrTitle(heading.text)
    under = heading.level > 1 && title?.kind === 'record' && title.number !== undefined ? title : undefined
    return title && heading.level === 1 ? [{ at, title }] : inner
  })
}

/**
 * Reads the title of another record: a heading of level 2, or a line in bold right above a section, that begins with its number and is no reference.
 * Where nothing separates the number from a name, a section must follow at once (`isBare`): a reference has something to say.
 */
export function readInnerTitle(
  { level, text, span, above }: Heading,
  section: number,
  isBare: boolean,
): { readonly at: number; readonly title: AdrTitle } | undefined {
  const line = section >= 0 ? above : level === 2 ? { text, start: span.start } : undefined
  const name = line?.text.replace(/[*_`[\]]/g, '') ?? ''
  const isTitle = /^ADR[-\s#]{0,3}\d{1,9}\s*(?:[:–—-]|$)/i.test(name) || ((isBare || section >= 0) && named.test(name))
  const title = line && isTitle ? readAdrTitle(line.text) : undefined
  return line && title?.kind === 'record' ? { at: line.start, title } : undefined
}

/** Whether a title has another number than the header of a record. */
export function isOther({ number }: AdrTitle, header: Pick<Header, 'yaml'> | undefined): boolean {
  const id = header ? numberOf(header) : Number.NaN
  return !Number.isNaN(id) && number !== id
}

/** Whether a block that never closes begins with the id of a record. */
export function beginsRecord({ firstLine }: Outline['unclosedHeaders'][number]): boolean {
  return /^[ \t]*["']?adr_id["']?[ \t]*:/.test(firstLine)
}

/** Whether a title is that of the record that is there already. */
function repeats({ kind, number }: AdrTitle, { header, title }: Segment): boolean {
  return kind === 'record' && number !== undefined && number === (header ? numberOf(header) : title?.number)
}

/** The number in the id of a header; NaN when there is none. */
function numberOf({ yaml }: Pick<Header, 'yaml'>): number {
  return isMapping(yaml) ? Number(/\d+/.exec(String(yaml.value.adr_id))?.[0] ?? Number.NaN) : Number.NaN
}

/** Sections come in the order of the profile: one that is there already, or that comes before it, may be that of another record. */
function isBefore(section: number, { sections }: Segment): boolean {
  return section <= (sections.at(-1) ?? -1)
}

/** Whether a header is that of the record above it, which has none, and not of what follows. */
function belongs(header: Header, { title, sections }: Segment, marks: readonly Mark[], next: number): boolean {
  const first = marks[marks[next]?.inner ? next + 1 : next]
  if (title?.kind === 'about' || first?.title) return false
  if (sections.length === 0) return true
  const id = numberOf(header)
  return title?.number === undefined || Number.isNaN(id) ? first?.section === undefined : title.number === id
}

/** Joins guesses to what is before them, unless both have all sections. */
function joined(segments: readonly Segment[], { sections }: AdrProfile): Segment[] {
  const result: Segment[] = []
  const isWhole = (segment: Segment): boolean => new Set(segment.sections).size === sections.length
  for (const segment of segments) {
    const previous = result.at(-1)
    if (previous && segment.isGuess && !segment.header && !(isWhole(segment) && isWhole(previous)))
      for (const section of segment.sections) previous.sections.push(section)
    else result.push(segment)
  }
  return result
}
