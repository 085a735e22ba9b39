import { type Finding, fact, type IssueDraft, issue, type Locale, type TextSpan } from '@stickler/core'
import type { Heading } from '@stickler/core/internal'
import { type Header, isMapping } from '../records/metadata-headers.ts'
import { aboutRecord } from '../records/records.ts'
import { tooComplexHeader } from '../records/too-complex-header.ts'
import { adrMessages } from './messages.ts'
import { type AdrProfile, isNearMiss, isSection } from './profiles.ts'
import type { AdrDocument } from './recognise.ts'

/** Yields what is wrong with the decision records of an answer, with so many others before them, and the fewest criteria that one of them lists. */
export function* inspectAdrs(
  documents: readonly AdrDocument[],
  profile: AdrProfile,
  minCriteria: number,
  locale: Locale,
  before = 0,
): Generator<Finding<AdrCode>> {
  let fewest = Number.POSITIVE_INFINITY
  for (const [index, document] of documents.entries()) {
    const place = before + documents.length > 1 ? { index: before + index, header: document.header } : undefined
    for (const finding of inspectAdr(document, profile, minCriteria, locale)) {
      if (finding.kind === 'issue') yield place ? aboutRecord(finding, place, locale) : finding
      else if (Number(finding.value) < fewest) {
        fewest = Number(finding.value)
        yield finding
      }
    }
  }
}

/** Yields what is wrong with a decision record, and how many criteria it lists. */
function* inspectAdr(document: AdrDocument, profile: AdrProfile, minCriteria: number, locale: Locale): Generator<Finding<AdrCode>> {
  yield* inspectHeader(document.header, profile, locale)
  yield* inspectHeadings(document, profile, locale)
  if (profile.criteriaSection === undefined) return
  const criteria = countCriteria(document, profile, profile.criteriaSection)
  if (criteria === undefined) return
  yield fact('criteria', criteria.count)
  if (criteria.count >= minCriteria) return
  const [message, hint] = adrMessages[locale].fewCriteria(criteria.count, minCriteria)
  yield issue('INSUFFICIENT_CRITERIA', message, { hint, ...placed(document, criteria.span) })
}

/** The codes of issues with decision records. */
export type AdrCode = 'MISSING_YAML_HEADER' | 'INVALID_YAML' | 'MISSING_ADR_FIELD' | 'MISSING_ADR_SECTION' | 'INSUFFICIENT_CRITERIA'

/** Yields what is wrong with the header of a decision record. */
export function* inspectHeader(
  header: Pick<Header, 'yaml' | 'span'> | undefined,
  profile: AdrProfile,
  locale: Locale,
): Generator<IssueDraft<AdrCode>> {
  const say = adrMessages[locale]
  if (header === undefined) {
    if (!profile.headerRequired) return
    const [message, hint] = say.missingHeader
    yield issue('MISSING_YAML_HEADER', message, { hint })
    return
  }
  const { yaml, span } = header
  if (!yaml.ok && yaml.refused !== undefined) throw tooComplexHeader(yaml.refused)
  if (!isMapping(yaml) && !isEmptyAndOptional(yaml, profile)) {
    const [message, hint] = say.invalidYaml(yaml.ok ? 'not a mapping' : yaml.reason)
    yield issue('INVALID_YAML', message, { hint, span })
    return
  }
  const value = isMapping(yaml) ? yaml.value : {}
  for (const field of profile.fields) {
    if (Object.hasOwn(value, field) && !isEmpty(value[field])) continue
    const [message, hint] = say.missingField(field)
    yield issue('MISSING_ADR_FIELD', message, { hint, span, path: [field] })
  }
}

/** Yields what is wrong with the title and sections of a decision record. */
export function* inspectHeadings(
  { headings, blocks }: Pick<AdrDocument, 'headings' | 'blocks'>,
  profile: AdrProfile,
  locale: Locale,
): Generator<IssueDraft<AdrCode>> {
  const say = adrMessages[locale]
  if (profile.titleRequired && !headings.some(({ level, text, nested }) => level === 1 && !nested && text !== '')) {
    const [message, hint] = say.missingTitle
    yield issue('MISSING_ADR_FIELD', message, { hint, path: ['title'] })
  }
  for (const section of profile.sections) {
    const own = headings.filter((heading) => isSection(heading, section, profile))
    if (own.some((heading) => !profile.contentRequired || hasContent(heading, headings, blocks))) continue
    const near = headings.find((heading) => isNearMiss(heading, section))
    const [message, hint] =
      own.length > 0 ? say.emptySection(section) : say.missingSection(section, near && `${'#'.repeat(near.level)} ${near.text}`)
    yield issue('MISSING_ADR_SECTION', message, { hint, path: [section] })
  }
}

/** Whether anything but headings is shown before the next section. */
function hasContent(heading: Heading, headings: readonly Heading[], blocks: readonly TextSpan[]): boolean {
  const end = endOf(heading, headings)
  const titles = new Set(headings.map(({ span }) => span.start))
  return blocks.some(({ start }) => start >= heading.span.end && start < end && !titles.has(start))
}

/** Where the next heading of the same level or above begins. */
function endOf({ level, span }: Heading, headings: readonly Heading[]): number {
  const next = headings.find((one) => !one.nested && one.level <= level && one.span.start >= span.end)
  return next?.span.start ?? Number.POSITIVE_INFINITY
}

/** Counts the check boxes between the section's heading and the next one of its level or above. */
function countCriteria(
  { headings, listItems }: AdrDocument,
  profile: AdrProfile,
  section: string,
): { readonly count: number; readonly span: TextSpan } | undefined {
  const heading = headings.find((one) => isSection(one, section, profile))
  if (!heading) return undefined
  const end = endOf(heading, headings)
  const boxes = listItems.filter(({ checked, span }) => checked !== undefined && span.start >= heading.span.end && span.start < end)
  return { count: boxes.length, span: heading.span }
}

/** A span of the document as a span of the answer. */
function placed({ offset }: AdrDocument, span: TextSpan): { readonly span?: TextSpan } {
  return offset === undefined ? {} : { span: { start: span.start + offset, end: span.end + offset } }
}

function isEmptyAndOptional(yaml: { readonly ok: boolean; readonly value?: unknown }, profile: AdrProfile): boolean {
  return !profile.headerRequired && yaml.ok && yaml.value === null
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true
  if (typeof value === 'string') return value.trim() === ''
  return typeof value === 'object' && Object.keys(value).length === 0
}
