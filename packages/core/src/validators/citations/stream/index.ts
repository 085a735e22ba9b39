import type { AnswerReader } from '../../../answer/reader.ts'
import { spanHolds } from '../../../answer/span.ts'
import type { IssueDraft } from '../../../contract/issue.ts'
import type { IncrementalCheck, Progress, StreamFailure } from '../../../contract/validator.ts'
import { InlineCodeWatch, KeptText } from '../../shared/kept-text.ts'
import { isMarked, isOutOfRange } from '../findings.ts'
import type { Paragraph } from '../html-paragraphs.ts'
import type { CitationStyle } from '../marker-body.ts'
import { type Marker, MarkerScanner } from '../marker-scanner.ts'
import type { CitationCode, CitationIssues } from '../messages.ts'
import { isProse, Paragraphs } from '../paragraphs.ts'
import { isDoubled } from '../repair/index.ts'
import { LineRelease } from './line-release.ts'
import { type LineState, LineWatch } from './line-watch.ts'

/** A marker in a stream, with what the lines before it say. */
interface PlacedMarker {
  readonly marker: Marker
  readonly lines: LineState
}

/** What a place in a stream is: code, text, or not decided yet. */
type Place = 'code' | 'text' | 'open'

/** Decides whether markers are in code as soon as no continuation can change it; they are asked about in text order. */
class PlaceJudge {
  readonly #code: InlineCodeWatch

  constructor(kept: KeptText) {
    this.#code = new InlineCodeWatch(kept)
  }

  /** Judges a marker; `blankEnd` is the offset after the last blank line. */
  judge({ marker, lines }: PlacedMarker, reader: AnswerReader, blankEnd: number): Place {
    const { start } = marker.span
    const isRead = marker.at <= reader.decided
    // A line that may open a fence is one only when all of it is there.
    if (lines.fenceLike >= reader.decided) return 'open'
    if (reader.inFence(start)) return isRead || reader.openFence === reader.marginFence ? 'code' : 'open'
    if (spanHolds(reader.frontMatters, start)) return 'text'
    if (isRead && endOfClosed(reader, blankEnd) > start) return this.#code.holds(start, reader) ? 'code' : 'text'
    if (boundaryBefore(reader, lines) <= Math.max(lines.unbalanced, lines.doubtful)) return 'open'
    if (!lines.inRun) return 'text'
    const { line } = lines
    return line.codeEnd > start && line.plain && line.start <= reader.decided ? 'code' : 'open'
  }
}

/** Where the blocks end whose inline code is known. */
function endOfClosed({ inlines, codeBlocks, decided }: AnswerReader, blankEnd: number): number {
  const blank = blankEnd <= decided ? blankEnd : 0
  return Math.max(inlines.at(-1)?.end ?? 0, codeBlocks.at(-1)?.span.end ?? 0, blank)
}

/** The last place before a line that no paragraph goes across. */
function boundaryBefore({ inlines, codeBlocks }: AnswerReader, { line, blankBefore }: LineState): number {
  const inline = inlines.at(-1)?.end ?? 0
  const code = codeBlocks.at(-1)?.span.end ?? 0
  return Math.max(blankBefore, inline <= line.start ? inline : 0, code <= line.start ? code : 0)
}

/** Judges the paragraphs of a stream as they end. */
class ParagraphWatch {
  readonly #kept: KeptText
  readonly #paragraphs: Paragraphs
  /** The citations that have not been counted for a paragraph. */
  #cited: number[] = []
  /** Start of the line that was cited in last. */
  #citedLine = -1
  #gap = { start: -1, end: -1, isBreak: false }

  constructor(kept: KeptText) {
    this.#kept = kept
    this.#paragraphs = new Paragraphs((span) => kept.slice(span))
  }

  /** The next paragraph or heading that has ended; undefined when there is none. */
  next(reader: AnswerReader): Paragraph | undefined {
    return this.#paragraphs.first(reader)
  }

  /** Notes a citation that supports the text before it. */
  cite(offset: number, lineStart: number): void {
    this.#cited.push(offset)
    this.#citedLine = lineStart
  }

  /** Judges the next paragraph, and goes on to the one after it when it has what it needs. */
  isUncited(paragraph: Paragraph, reader: AnswerReader): boolean {
    const isCited = this.#cited.some((offset) => offset >= paragraph.start && offset < paragraph.end)
    if (!isCited && isProse(paragraph, reader)) return true
    this.#cited = this.#cited.filter((offset) => offset >= paragraph.end)
    this.#paragraphs.take()
    return false
  }

  /** How far the text is outside of paragraphs that still need a citation. */
  hold(reader: AnswerReader, watch: LineWatch, length: number): number {
    const paragraph = this.next(reader)
    if (paragraph) return paragraph.start
    if (reader.marginFence) return length
    const judged = Math.max(reader.bodyStart, endOfClosed(reader, watch.blankEnd))
    // A line of HTML may show several paragraphs.
    const isCited = this.#citedLine === watch.lineStart && !watch.hasHtml && this.#isFirstLine(judged, watch.lineStart)
    return judged >= length || isCited ? length : judged
  }

  /** Whether nothing but a line break is between the end of a block and a line; asked once, since to look costs. */
  #isFirstLine(judged: number, lineStart: number): boolean {
    if (judged < lineStart - 2) return false
    if (this.#gap.start !== judged || this.#gap.end !== lineStart) {
      const span = { start: judged, end: lineStart }
      this.#gap = { ...span, isBreak: /^[\r\n]*$/.test(this.#kept.slice(span)) }
    }
    return this.#gap.isBreak
  }
}

/** What a stream of citations is judged by. */
interface CitationRules {
  readonly styles: readonly CitationStyle[]
  /** The number of sources; undefined when unknown. */
  readonly sources: number | undefined
  readonly eachParagraph: boolean
  /** Whether a repair may drop a marker with the space before it. */
  readonly drops: boolean
  /** Whether a repair may take the second caret out of `[^1^]`. */
  readonly trims: boolean
  /** Whether text is released as it comes, or line by line. */
  readonly release: 'text' | 'line'
  readonly say: CitationIssues
}

/** Holds what may become a wrong marker, or a paragraph without one, and fails as soon as no continuation can correct it. */
export class CitationStream implements IncrementalCheck<CitationCode> {
  readonly #rules: CitationRules
  readonly #scanner: MarkerScanner
  readonly #watch = new LineWatch()
  readonly #kept = new KeptText()
  readonly #judge = new PlaceJudge(this.#kept)
  readonly #paragraphs: ParagraphWatch | undefined
  readonly #lines: LineRelease | undefined
  /** As much of the start as is needed to decide whether it has code that all renderers agree on. */
  #head = ''
  #length = 0
  #bodyStart = 0
  /** How long the text was when some of it was forgotten. */
  #dropped = 0
  /** The state of the lines before the bracket that was opened last. */
  #opened: LineState | undefined
  /** Markers that matter and may still turn out to be code. */
  readonly #pending: PlacedMarker[] = []
  #next = 0
  /** The first marker whose source cannot be looked up, and whether a space comes before it. */
  #unknown: Hold | undefined
  #failed: Progress<CitationCode> | undefined

  constructor(rules: CitationRules) {
    this.#rules = rules
    this.#scanner = new MarkerScanner(
      rules.styles,
      (marker) => this.#take(marker),
      (chunk, index) => {
        this.#watch.advance(chunk, index)
        this.#opened = this.#watch.state()
      },
    )
    this.#paragraphs = rules.eachParagraph ? new ParagraphWatch(this.#kept) : undefined
    this.#lines = rules.release === 'line' ? new LineRelease() : undefined
  }

  push(chunk: string, reader: AnswerReader): Progress<CitationCode> {
    if (this.#failed) return this.#failed
    const base = this.#length
    this.#length += chunk.length
    if (base < headLength) this.#head = (this.#head + chunk).slice(0, headLength)
    this.#kept.push(chunk)
    this.#read(chunk, base, reader)
    const failure = this.#settle(reader)
    const safe = this.#safe(reader)
    if (failure) {
      this.#failed = { safe, failure: { ...failure, further: this.#further(reader) } }
      return this.#failed
    }
    this.#forget(reader)
    return { safe }
  }

  #read(chunk: string, base: number, reader: AnswerReader): void {
    if (reader.bodyStart > this.#bodyStart) {
      this.#bodyStart = reader.bodyStart
      this.#watch.restart(reader.bodyStart)
      this.#lines?.restart(reader.bodyStart)
    }
    const from = Math.min(Math.max(0, reader.bodyStart - base), chunk.length)
    this.#watch.open(base, from)
    this.#scanner.push(chunk, base, from)
    this.#watch.advance(chunk, chunk.length)
    this.#lines?.read(chunk, base, from)
  }

  #take(marker: Marker): void {
    const { sources, eachParagraph } = this.#rules
    if (this.#opened === undefined) return
    if (eachParagraph || this.#isWrong(marker) || sources === undefined) this.#pending.push({ marker, lines: this.#opened })
  }

  #isWrong(marker: Marker): boolean {
    return marker.fault !== undefined || isOutOfRange(marker, this.#rules.sources ?? Number.POSITIVE_INFINITY)
  }

  /** Settles markers and paragraphs in text order, up to the first that is open. */
  #settle(reader: AnswerReader): StreamFailure<CitationCode> | undefined {
    for (;;) {
      const pending = this.#pending[this.#next]
      const paragraph = this.#paragraphs?.next(reader)
      if (pending && !(paragraph && paragraph.end <= pending.marker.span.start)) {
        const place = this.#placeOf(pending, reader)
        if (place === 'open') return undefined
        this.#next++
        const failure = place === 'text' ? this.#count(pending) : undefined
        if (failure) return failure
      } else if (paragraph === undefined) return undefined
      else if (this.#paragraphs?.isUncited(paragraph, reader)) {
        const { start, end } = paragraph
        return {
          at: end,
          issues: [this.#rules.say.uncited(this.#kept.slice(paragraph), { start, end })],
          ...(!this.#rules.drops && { final: true }),
        }
      }
    }
  }

  #placeOf(pending: PlacedMarker, reader: AnswerReader): ReturnType<PlaceJudge['judge']> {
    const { marker, lines } = pending
    const place = isMarked(this.#head) ? 'text' : this.#judge.judge(pending, reader, this.#watch.blankEnd)
    // A paragraph above may end without a citation, which would have to be reported first.
    const mayBeSecond = this.#paragraphs !== undefined && this.#isWrong(marker) && lines.line.start !== lines.blankBefore
    return place === 'text' && mayBeSecond && !this.#isClosed(marker, reader) ? 'open' : place
  }

  #isClosed(marker: Marker, reader: AnswerReader): boolean {
    return marker.at <= reader.decided && endOfClosed(reader, this.#watch.blankEnd) > marker.span.start
  }

  /** Takes account of a marker that is certain. */
  #count({ marker, lines }: PlacedMarker): StreamFailure<CitationCode> | undefined {
    if (this.#isWrong(marker)) {
      this.#next--
      const { drops, trims, sources } = this.#rules
      const isFinal = !drops && !(trims && isDoubled(marker, sources))
      return { at: marker.at, issues: [this.#issueOf(marker)], ...(isFinal && { final: true }) }
    }
    if (this.#rules.sources === undefined) this.#unknown ??= holdBefore(marker, lines)
    this.#paragraphs?.cite(marker.span.start, lines.line.start)
    return undefined
  }

  /** What is wrong with the later markers of the text received, as far as that is certain. */
  #further(reader: AnswerReader): IssueDraft<CitationCode>[] {
    const later = this.#pending.slice(this.#next + 1, this.#next + 1 + mostFurther)
    return later.filter((one) => this.#isWrong(one.marker) && this.#placeOf(one, reader) === 'text').map((one) => this.#issueOf(one.marker))
  }

  #issueOf(marker: Marker): IssueDraft<CitationCode> {
    return marker.fault === undefined
      ? this.#rules.say.outOfRange(marker, this.#rules.sources ?? 0)
      : this.#rules.say.malformed(marker, marker.fault)
  }

  #safe(reader: AnswerReader): number {
    const { open } = this.#scanner
    const pending = this.#pending[this.#next]
    let hold: Hold = { offset: this.#length, space: this.#watch.endsInSpace }
    if (open !== undefined && this.#opened) hold = { offset: open, space: this.#opened.spaceBefore }
    if (pending) hold = holdBefore(pending.marker, pending.lines)
    if (this.#unknown) hold = this.#unknown
    const safe = hold.offset - (this.#rules.drops && hold.space ? 1 : 0)
    const shown = Math.min(safe, this.#paragraphs?.hold(reader, this.#watch, this.#length) ?? safe)
    return this.#lines?.before(shown) ?? shown
  }

  /** Forgets the markers that are settled, and the text of the blocks that have ended. */
  #forget(reader: AnswerReader): void {
    if (this.#next > 0 && this.#next * 2 >= this.#pending.length) {
      this.#pending.splice(0, this.#next)
      this.#next = 0
    }
    // Now and then: the outline need not be read with every chunk.
    if (this.#length - this.#dropped <= mostKept) return
    this.#dropped = this.#length
    this.#kept.dropTo(reader.marginFence ? reader.decided : Math.max(this.#bodyStart, endOfClosed(reader, this.#watch.blankEnd)))
  }
}

const headLength = 3
/** So much more text is kept than may be needed. */
const mostKept = 4096
/** More would not be sent to a model. */
const mostFurther = 100

/** Text is held from here on, and the space before it too when that may go with it. */
interface Hold {
  readonly offset: number
  readonly space: boolean
}

function holdBefore({ span }: Marker, { spaceBefore }: LineState): Hold {
  return { offset: span.start, space: spaceBefore }
}
