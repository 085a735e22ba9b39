import { Answer, type IncrementalCheck, type IssueDraft, type Locale, type Progress, type TextSpan } from '@stickler/core'
import type { CodeBlock, Heading, StreamFailure } from '@stickler/core/internal'
import type { AnswerReader } from '@stickler/core/internal/validators'
import { hasAdrId, readAdrTitle } from '../records/decision-record.ts'
import { HeaderWatch, streamed } from '../records/header-watch.ts'
import type { Header } from '../records/metadata-headers.ts'
import { aboutRecord, isTemplate, type RecordPlace, RecordStarts } from '../records/records.ts'
import { type AdrCode, inspectAdrs, inspectHeader, inspectHeadings } from './inspect.ts'
import { type AdrProfile, isSection } from './profiles.ts'
import { blocksOf, findRecords, mayLackId, wholeRecord } from './recognise.ts'
import { beginsRecord, isOther, readInnerTitle } from './segments.ts'

/** What a stream of a decision record is judged by. */
interface AdrRules {
  readonly profile: AdrProfile
  readonly required: boolean
  readonly minCriteria: number
  readonly locale: Locale
}

/**
 * Holds a header until it is judged, and an ADR without a header from its title on. After a good header everything is safe
 * until another record may begin, since what is still missing can follow; a bad one dooms the answer.
 */
export class AdrStream implements IncrementalCheck<AdrCode> {
  readonly #rules: AdrRules
  readonly #watch = new HeaderWatch(true)
  #unclosedSeen = 0
  #headingsSeen = 0
  /** From here on nothing is certain before the end. */
  #held: number | undefined
  /** A good header was found: headers without an id do not count any more, and what is missing can follow. */
  #identified = false
  /** From here on too, whatever follows: it may be a record without an id or a header, or an example of one; only the whole text tells. */
  #stays = Number.POSITIVE_INFINITY
  /** The record outside of fences that is being read, and how many there are so far. */
  #record: (RecordPlace & { readonly from: number }) | undefined
  #records = 0
  /** Whether there is a title in what is being read, and which section was the last. */
  #isTitled = false
  #section = -1
  readonly #starts = new RecordStarts()
  #failure: StreamFailure<AdrCode> | undefined

  constructor(rules: AdrRules) {
    this.#rules = rules
  }

  push(chunk: string, reader: AnswerReader): Progress<AdrCode> {
    const { progress } = this.#watch
    if (!this.#watch.push(chunk, reader)) return progress
    if (!this.#failure) this.#judge(reader)
    if (this.#failure) return { ...progress, failure: this.#failure }
    this.#watch.release(reader, Math.min(this.#stays, this.#held ?? Number.POSITIVE_INFINITY))
    return progress
  }

  #judge(reader: AnswerReader): void {
    for (const header of reader.unclosedHeaders.slice(this.#unclosedSeen)) if (beginsRecord(header)) this.#stay(header.start)
    this.#unclosedSeen = reader.unclosedHeaders.length
    for (let block = this.#watch.next(reader); block; block = this.#watch.next(reader)) {
      const { span, headers, fence } = block
      this.#takeHeadings(reader, span.start)
      if (!fence) for (const header of headers) this.#takeHeader(header, reader)
      else if (this.#rules.profile.headerRequired) this.#takeFence(fence, headers, reader)
      else this.#holdFence(fence, headers)
      if (this.#failure) return
    }
    this.#takeHeadings(reader, Number.POSITIVE_INFINITY)
  }

  #takeHeadings({ headings }: AnswerReader, end: number): void {
    for (;;) {
      const heading = headings[this.#headingsSeen]
      if (!heading || heading.span.start >= end) return
      this.#headingsSeen++
      this.#takeHeading(heading)
    }
  }

  #takeHeader(header: Pick<Header, 'span' | 'source' | 'yaml' | 'atStart' | 'fenced'>, reader: AnswerReader): void {
    const { profile, required, locale } = this.#rules
    if (!profile.headerRequired) {
      const problems = header.atStart ? [...inspectHeader(header, profile, locale)] : []
      if (problems.length > 0 && required) this.#fail(header.span.end, problems)
      else if (problems.length > 0) this.#hold(header.span.start)
    } else if (hasAdrId(header) && !isTemplate(header)) this.#startRecord(header, reader)
    else if (isTemplate(header) || mayLackId(header, profile)) this.#stay(header.span.start)
    else this.#hold(header.span.start)
  }

  /** The header of a record ends the record before it, outside of fences that hold documents. */
  #startRecord(header: Pick<Header, 'span' | 'source' | 'yaml' | 'fenced'>, reader: AnswerReader): void {
    if (!this.#starts.take({ ...header, document: streamed })) return
    const { profile, locale } = this.#rules
    const previous = this.#record
    const { start, end } = header.span
    // Sections above the header may be those of a record without one.
    if (!previous && this.#section >= 0) this.#stay(this.#held ?? start)
    this.#isTitled = false
    this.#section = -1
    const isRead = (span: TextSpan): boolean => span.start >= (previous?.from ?? start) && span.start < start
    const read = { headings: reader.headings.filter(({ span }) => isRead(span)), blocks: blocksOf(reader).filter(isRead) }
    const ended = previous ? [...inspectHeadings(read, profile, locale)].map((one) => aboutRecord(one, previous, locale)) : []
    const record = { index: this.#records++, header, from: previous ? start : 0 }
    this.#record = record
    const own = [...inspectHeader(header, profile, locale)].map((one) => (record.index > 0 ? aboutRecord(one, record, locale) : one))
    this.#conclude([...ended, ...own], end)
  }

  /** A fence that is complete holds whole records, or the header of the one around it. */
  #takeFence(fence: CodeBlock, headers: readonly Header<Answer>[], reader: AnswerReader): void {
    const { profile, minCriteria, locale } = this.#rules
    const outer = headers.filter(({ document }) => document === streamed)
    for (const header of outer) this.#takeHeader(header, reader)
    if (outer.length > 0) return
    const [document = new Answer(fence.content)] = headers.map((header) => header.document)
    const records = findRecords(document, headers, profile, undefined)
    if (records.length === 0) {
      if (headers.length > 0) this.#hold(fence.span.start)
      return
    }
    // Inside a record it is an example, and so it may be without a header.
    if (this.#record || this.#isTitled || this.#section >= 0 || records.some(({ header }) => !header)) {
      this.#stay(fence.span.start)
      return
    }
    const findings = [...inspectAdrs(records, profile, minCriteria, locale, this.#records)]
    this.#records += records.length
    this.#conclude(
      findings.filter((finding) => finding.kind === 'issue'),
      fence.span.end,
    )
  }

  /** Where no header is required, one in a fence may still turn out to be the record's, so a wrong one is not shown. */
  #holdFence({ span }: CodeBlock, headers: readonly Header<Answer>[]): void {
    const { profile, minCriteria, locale } = this.#rules
    const isWrong = headers.some((header) => {
      const { document, atStart } = header
      if (!atStart) return false
      const findings =
        document === streamed
          ? inspectHeader(header, profile, locale)
          : inspectAdrs([wholeRecord(header, document)], profile, minCriteria, locale)
      return [...findings].some((finding) => finding.kind === 'issue' && finding.code !== 'INSUFFICIENT_CRITERIA')
    })
    if (isWrong) this.#hold(span.start)
  }

  /** Headings may begin another record, below the title and sections of this one. */
  #takeHeading(heading: Heading): void {
    const { profile } = this.#rules
    if (heading.nested || !profile.headerRequired) return
    const { start } = heading.span
    const section = profile.sections.findIndex((name) => isSection(heading, name, profile))
    const inner = readInnerTitle(heading, section, true)
    if (inner && isOther(inner.title, this.#record?.header)) this.#stay(inner.at)
    const title = heading.level === 1 ? readAdrTitle(heading.text) : undefined
    if (section < 0 && !title) return
    if (section >= 0 || title?.kind === 'record') this.#hold(start)
    const goesOn = this.#record && (title ? !this.#isTitled && this.#section < 0 : section > this.#section)
    if (this.#identified && !goesOn) this.#stay(start)
    if (title) this.#isTitled = true
    else this.#section = section
  }

  /** A header that names an ADR has been found. */
  #conclude(problems: readonly IssueDraft<AdrCode>[], end: number): void {
    const errors = problems.filter(({ code }) => code !== 'INSUFFICIENT_CRITERIA')
    // What only the whole text tells counts records too.
    if (errors.length > 0 && this.#stays < end) return
    if (errors.length > 0) this.#fail(end, errors)
    else {
      this.#identified = true
      this.#held = undefined
    }
  }

  #fail(end: number, issues: readonly IssueDraft<AdrCode>[]): void {
    this.#failure = { at: end + 1, issues }
  }

  #stay(from: number): void {
    this.#stays = Math.min(this.#stays, from)
  }

  #hold(from: number): void {
    if (!this.#identified) this.#held = Math.min(this.#held ?? from, from)
  }
}
