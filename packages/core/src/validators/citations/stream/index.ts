import type { AnswerReader } from '../../../answer/reader.ts'
import type { IssueDraft } from '../../../contract/issue.ts'
import { InlineCodeWatch, KeptText } from '../../../contract/machine/kept-text.ts'
import type { IncrementalCheck, Progress, StreamFailure } from '../../../contract/validator.ts'
import { isOutOfRange } from '../findings.ts'
import type { Paragraph } from '../html-paragraphs.ts'
import type { CitationStyle } from '../marker-body.ts'
import { type Marker, MarkerScanner } from '../marker-scanner.ts'
import type { CitationCode, CitationIssues } from '../messages.ts'
import { isProse, Paragraphs } from '../paragraphs.ts'
import { isDoubled } from '../repair/index.ts'
import { LineRelease } from './line-release.ts'

/** What comes before a bracket. */
interface Before {
  readonly lineStart: number
  /** Where the last back-tick or tilde is, with which all code begins; -1 without one. */
  readonly mark: number
  readonly isSpace: boolean
}

/** A marker in a stream, with what comes before it. */
interface PlacedMarker {
  readonly marker: Marker
  readonly before: Before
}

/** Where the blocks end that are read, and with HTML the paragraphs in it. */
function endOfRead({ inlines, codeBlocks, htmlBlocks, closed, bodyStart }: AnswerReader, hasTag: boolean): number {
  if (!hasTag) return closed
  return Math.max(bodyStart, inlines.at(-1)?.end ?? 0, codeBlocks.at(-1)?.span.end ?? 0, htmlBlocks.at(-1)?.end ?? 0)
}

/** Judges the paragraphs of a stream as they end. */
class ParagraphWatch {
  readonly #paragraphs: Paragraphs
  /** The citations that have not been counted for a paragraph. */
  #cited: number[] = []
  /** Start of the line that was cited in last. */
  #citedLine = -1

  constructor(kept: KeptText) {
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
  hold(reader: AnswerReader, lineStart: number, length: number, hasTag: boolean): number {
    const paragraph = this.next(reader)
    if (paragraph) return paragraph.start
    if (reader.marginFence) return length
    // A line of HTML may show several paragraphs.
    const isCited = this.#citedLine === lineStart && !hasTag && reader.closed >= lineStart
    return isCited ? length : Math.min(length, endOfRead(reader, hasTag))
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
  readonly #kept = new KeptText()
  readonly #code = new InlineCodeWatch(this.#kept)
  readonly #paragraphs: ParagraphWatch | undefined
  readonly #lines: LineRelease | undefined
  #length = 0
  #bodyStart = 0
  /** How long the text was when some of it was forgotten. */
  #dropped = 0
  #lineStart = 0
  #mark = -1
  /** The last character of the text. */
  #last = 0
  /** Whether there may be HTML. */
  #hasTag = false
  /** What comes before the bracket that was opened last. */
  #opened: Before | undefined
  /** So much of the piece that is read was looked at. */
  #done = 0
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
        this.#advance(chunk, index)
        const isSpace = (index === 0 ? this.#last : chunk.charCodeAt(index - 1)) === space
        this.#opened = { lineStart: this.#lineStart, mark: this.#mark, isSpace }
      },
    )
    this.#paragraphs = rules.eachParagraph ? new ParagraphWatch(this.#kept) : undefined
    this.#lines = rules.release === 'line' ? new LineRelease() : undefined
  }

  push(chunk: string, reader: AnswerReader): Progress<CitationCode> {
    if (this.#failed) return this.#failed
    const base = this.#length
    this.#length += chunk.length
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
      this.#lines?.restart(reader.bodyStart)
    }
    const from = Math.min(Math.max(0, reader.bodyStart - base), chunk.length)
    this.#done = 0
    this.#scanner.push(chunk, base, from)
    this.#advance(chunk, chunk.length)
    this.#last = chunk.charCodeAt(chunk.length - 1)
    this.#lines?.read(chunk, base, from)
  }

  /** Looks for lines and marks of code up to an index of the piece that is read. */
  #advance(chunk: string, to: number): void {
    const base = this.#length - chunk.length
    for (; this.#done < to; this.#done++) {
      const code = chunk.charCodeAt(this.#done)
      if (code === 10 || code === 13) this.#lineStart = base + this.#done + 1
      else if (code === backtick || code === tilde) this.#mark = base + this.#done
      else if (code === lessThan) this.#hasTag = true
    }
  }

  #take(marker: Marker): void {
    const { sources, eachParagraph } = this.#rules
    if (this.#opened === undefined) return
    if (eachParagraph || this.#isWrong(marker) || sources === undefined) this.#pending.push({ marker, before: this.#opened })
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

  /** Decides what a marker is in as soon as no continuation can change it; asked in text order. */
  #placeOf({ marker, before }: PlacedMarker, reader: AnswerReader): 'code' | 'text' | 'open' {
    const { start } = marker.span
    if (reader.inFence(start)) return start < reader.decided || reader.openFence === reader.marginFence ? 'code' : 'open'
    const isClosed = start < reader.closed
    if (isClosed ? this.#code.holds(start, reader) : before.mark >= reader.closed) return isClosed ? 'code' : 'open'
    // A paragraph above may end without a citation, which would have to be reported first.
    const mayBeSecond = this.#paragraphs && this.#isWrong(marker) && before.lineStart > endOfRead(reader, this.#hasTag)
    return mayBeSecond ? 'open' : 'text'
  }

  /** Takes account of a marker that is certain. */
  #count({ marker, before }: PlacedMarker): StreamFailure<CitationCode> | undefined {
    if (this.#isWrong(marker)) {
      this.#next--
      const { drops, trims, sources } = this.#rules
      const isFinal = !drops && !(trims && isDoubled(marker, sources))
      return { at: marker.at, issues: [this.#issueOf(marker)], ...(isFinal && { final: true }) }
    }
    if (this.#rules.sources === undefined) this.#unknown ??= holdBefore(marker, before)
    this.#paragraphs?.cite(marker.span.start, before.lineStart)
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
    let hold: Hold = { offset: this.#length, isSpace: this.#last === space }
    if (open !== undefined && this.#opened) hold = { offset: open, isSpace: this.#opened.isSpace }
    if (pending) hold = holdBefore(pending.marker, pending.before)
    if (this.#unknown) hold = this.#unknown
    const safe = hold.offset - (this.#rules.drops && hold.isSpace ? 1 : 0)
    const shown = Math.min(safe, this.#paragraphs?.hold(reader, this.#lineStart, this.#length, this.#hasTag) ?? safe)
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
    this.#kept.dropTo(reader.marginFence ? reader.decided : endOfRead(reader, this.#hasTag))
  }
}

const space = 32
const lessThan = 60
const backtick = 96
const tilde = 126
/** So much more text is kept than may be needed. */
const mostKept = 4096
/** More would not be sent to a model. */
const mostFurther = 100

/** Text is held from here on, and the space before it too when that may go with it. */
interface Hold {
  readonly offset: number
  readonly isSpace: boolean
}

function holdBefore({ span }: Marker, { isSpace }: Before): Hold {
  return { offset: span.start, isSpace }
}
