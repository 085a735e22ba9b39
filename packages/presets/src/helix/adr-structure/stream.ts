import {
  Answer,
  type AnswerOutline,
  type IncrementalCheck,
  type IssueDraft,
  type Locale,
  type Progress,
  type TextSpan,
} from '@stickler/core'
import type { CodeBlock, Heading, StreamFailure } from '@stickler/core/internal'
import { hasAdrId, readAdrTitle } from '../records/decision-record.ts'
import { clearOfHeaders } from '../records/header-watch.ts'
import { documentKind, fencedHeaders, type Header, mostHeaders, yamlOf } from '../records/metadata-headers.ts'
import { aboutRecord, isTemplate, type RecordPlace, RecordStarts } from '../records/records.ts'
import { tooManyHeaders } from '../records/too-complex-header.ts'
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

/** Replaces the text of the stream, which is not kept. */
const around = new Answer('')

/**
 * Holds a header until it is judged, and an ADR without a header from its title on. After a good header everything is safe
 * until another record may begin, since what is still missing can follow; a bad one dooms the answer.
 */
export class AdrStream implements IncrementalCheck<AdrCode> {
  readonly #rules: AdrRules
  #length = 0
  #safe = 0
  /** Whether the line that is being read can hold nothing that matters. */
  #flowing = false
  #linesRead = 0
  /** The same object every time: there may be one for every few characters. */
  readonly #progress = { safe: 0 }
  #headersSeen = 0
  #fencesSeen = 0
  #unclosedSeen = 0
  #documentsSeen = 0
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

  push(chunk: string, reader: AnswerOutline): Progress<AdrCode> {
    this.#length += chunk.length
    // A line that could flow goes on flowing: most chunks end here.
    if (this.#flowing && reader.linesRead === this.#linesRead) {
      this.#safe = this.#length
      this.#progress.safe = this.#length
      return this.#progress
    }
    this.#linesRead = reader.linesRead
    if (!this.#failure) this.#judge(reader)
    if (this.#failure) return { safe: this.#safe, failure: this.#failure }
    this.#safe = Math.max(this.#safe, Math.min(this.#stays, this.#held ?? clearOfHeaders(reader, this.#length, true)))
    this.#flowing = this.#safe === this.#length && reader.lineHead !== ''
    return { safe: this.#safe }
  }

  #judge(reader: AnswerOutline): void {
    for (const header of reader.unclosedHeaders.slice(this.#unclosedSeen)) if (beginsRecord(header)) this.#stay(header.start)
    this.#unclosedSeen = reader.unclosedHeaders.length
    // In text order, as the whole check judges them.
    for (;;) {
      const matter = reader.frontMatters[this.#headersSeen]
      const fence = reader.codeBlocks[this.#fencesSeen]
      if (this.#failure || (!matter && !fence)) break
      if (matter && !(fence && fence.span.start < matter.span.start)) {
        if (++this.#headersSeen > mostHeaders) throw tooManyHeaders()
        this.#takeHeadings(reader, matter.span.start)
        this.#takeHeader({ ...matter, yaml: yamlOf(matter), source: matter.content, fenced: false }, reader)
      } else if (fence) {
        this.#fencesSeen++
        if (documentKind(fence) === undefined) continue
        if (++this.#documentsSeen > mostHeaders) throw tooManyHeaders()
        this.#takeHeadings(reader, fence.span.start)
        if (this.#rules.profile.headerRequired) this.#takeFence(fence, reader)
        else this.#holdFence(fence)
      }
    }
    this.#takeHeadings(reader, Number.POSITIVE_INFINITY)
  }

  #takeHeadings({ headings }: AnswerOutline, end: number): void {
    for (;;) {
      const heading = headings[this.#headingsSeen]
      if (!heading || heading.span.start >= end) return
      this.#headingsSeen++
      this.#takeHeading(heading)
    }
  }

  #takeHeader(header: Pick<Header, 'span' | 'source' | 'yaml' | 'atStart' | 'fenced'>, reader: AnswerOutline): void {
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
  #startRecord(header: Pick<Header, 'span' | 'source' | 'yaml' | 'fenced'>, reader: AnswerOutline): void {
    if (!this.#starts.take({ ...header, document: around })) return
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
  #takeFence(fence: CodeBlock, reader: AnswerOutline): void {
    const { profile, minCriteria, locale } = this.#rules
    const headers = fencedHeaders(fence, fence.content, undefined, around, (text) => new Answer(text))
    const outer = headers.filter(({ document }) => document === around)
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
  #holdFence(fence: CodeBlock): void {
    const { profile, minCriteria, locale } = this.#rules
    const headers = fencedHeaders(fence, fence.content, undefined, around, (text) => new Answer(text)).filter(({ atStart }) => atStart)
    const isWrong = headers.some((header) => {
      const { document } = header
      const findings =
        document === around
          ? inspectHeader(header, profile, locale)
          : inspectAdrs([wholeRecord(header, document)], profile, minCriteria, locale)
      return [...findings].some((finding) => finding.kind === 'issue' && finding.code !== 'INSUFFICIENT_CRITERIA')
    })
    if (isWrong) this.#hold(fence.span.start)
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
