import type { Answer } from '../../answer/answer.ts'
import { type Header, isMapping } from '../../answer/headers.ts'
import type { Heading } from '../../answer/outline.ts'
import { hasAdrId, isAdrTitle } from '../shared/decision-record.ts'
import type { AdrProfile } from './profiles.ts'

/** A decision record inside an answer. */
export interface AdrDocument {
  readonly header: Header<Answer> | undefined
  /** The text whose headings count: the answer, or the content of a fence. */
  readonly body: Answer
}

/** Finds the decision records of an answer; none when it holds none and none is required. */
export function recogniseAdrs(answer: Answer, profile: AdrProfile, required: boolean): readonly AdrDocument[] {
  const identified = profile.headerRequired ? answer.headers.filter(hasAdrId) : []
  if (identified.length > 0) return identified.map((header) => ({ header, body: header.document }))
  const found = profile.headerRequired ? recogniseBySigns(answer, profile, required) : recogniseByHeadings(answer, profile, required)
  return found ? [found] : []
}

/** Finds a decision record that does not name its id. */
function recogniseBySigns(answer: Answer, profile: AdrProfile, required: boolean): AdrDocument | undefined {
  const signs = signsByDocument(profile)
  const header = answer.headers.find((one) => headedAdr(one, signs(one.document)))
  if (header) return { header, body: header.document }
  if (required || looksLikeAdr(signs(answer), profile)) return { header: answer.headers[0], body: answer }
  return undefined
}

/** Tells whether a heading is a section that the profile asks for. */
export function isSection(heading: Heading, section: string, { ignoreCase, anyLevel }: AdrProfile): boolean {
  if (heading.nested || heading.level < 2 || (heading.level > 2 && !anyLevel)) return false
  return ignoreCase ? heading.text.toLowerCase() === section.toLowerCase() : heading.text === section
}

/** What the headings of a document say about it. */
interface Signs {
  readonly sections: number
  readonly titled: boolean
}

function readSigns({ headings }: Answer, profile: AdrProfile): Signs {
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
  const header = answer.headers.find(({ atStart, document }) => atStart && document === answer)
  const isAdr = header ? headedAdr(header, signs(answer)) : looksLikeAdr(signs(answer), profile)
  if (required || isAdr) return { header, body: answer }
  const fenced = answer.headers.find((one) => one.document !== answer && one.atStart && headedAdr(one, signs(one.document)))
  return fenced ? { header: fenced, body: fenced.document } : undefined
}
