import type { AnswerOutline } from '../../answer/reader.ts'
import type { Machine, Reading } from '../../contract/machine/machine.ts'
import type { Paragraph } from './html-paragraphs.ts'
import { LineRelease } from './line-release.ts'
import { type Citation, type CitationStyle, citationOf } from './marker-body.ts'
import { type Marker, MarkerScanner, supports } from './marker-scanner.ts'
import { type CitationCode, CitationIssues } from './messages.ts'
import { endOfRead, Paragraphs } from './paragraphs.ts'
import { isDoubled } from './repair.ts'
import { sourcesUnknown } from './sources.ts'

/** What comes before a bracket. */
interface Before {
  readonly lineStart: number
  /** Where the last back-tick or tilde is, with which all code begins; -1 without one. */
  readonly mark: number
  /** Where the text is held that goes with the bracket. */
  readonly hold: number
  /** Whether there may be HTML: in a stream, what follows in the same piece does not count. */
  readonly hasTag: boolean
}

/** A marker in a stream, with what comes before it. */
interface PlacedMarker {
  readonly marker: Marker
  readonly before: Before
}

/** What citations are judged by. */
interface CitationRules {
  readonly styles: readonly CitationStyle[]
  readonly requireCitations: boolean | 'paragraph'
  /** Whether a repair may drop a marker with the space before it. */
  readonly dropUnsupported: boolean
  /** Whether text is released as it comes, or line by line. */
  readonly release: 'text' | 'line'
}

/** So many markers are reported one by one, and the rest together. */
const mostMarkers = 49

/** Finds citations, and what is wrong with them; holds what may become a wrong marker, or a paragraph without one. */
export class CitationMachine implements Machine {
  safe = Number.POSITIVE_INFINITY
  readonly #reading: Reading<CitationCode>
  readonly #rules: CitationRules
  /** The number of sources; undefined when unknown. */
  readonly #sources: number | undefined
  readonly #say: CitationIssues
  readonly #scanner: MarkerScanner
  readonly #paragraphs: Paragraphs | undefined
  readonly #lines: LineRelease | undefined
  #start = -1
  #length = 0
  #isEnd = false
  #lineStart = 0
  #mark = -1
  /** The last character of the text. */
  #last = 0
  /** Whether there may be HTML. */
  #hasTag = false
  /** What comes before the bracket that was opened last. */
  #opened: Before = { lineStart: 0, mark: -1, hold: 0, hasTag: false }
  /** So much of the piece that is read was looked at. */
  #done = 0
  /** All markers that are well-formed, also in code. */
  readonly #wellFormed: Marker[] = []
  /** Markers that matter and may still turn out to be code. */
  readonly #pending: PlacedMarker[] = []
  #next = 0
  #wrong = 0
  /** The first wrong marker that is not reported one by one. */
  #further: Marker | undefined
  #isUncited = false
  /** Where the first marker is held whose source cannot be looked up. */
  #unknown: number | undefined

  constructor(reading: Reading<CitationCode>, rules: CitationRules, sources: number | undefined) {
    this.#reading = reading
    this.#rules = rules
    this.#sources = sources
    this.#say = new CitationIssues(reading.locale, rules.styles)
    this.#scanner = new MarkerScanner(
      rules.styles,
      (marker) => this.#take(marker),
      (chunk, index) => this.#open(chunk, index),
    )
    this.#paragraphs = rules.requireCitations === 'paragraph' ? new Paragraphs((span) => reading.slice(span)) : undefined
    this.#lines = rules.release === 'line' ? new LineRelease() : undefined
  }

  get reach(): number {
    return this.#paragraphs === undefined ? 0 : Math.max(0, this.safe - endOfRead(this.#reading.outline, this.#hasTag))
  }

  read(piece: string, at: number, isEnd: boolean): void {
    if (this.#start < 0) this.#begin(at)
    this.#length = at + piece.length
    this.#isEnd = isEnd
    this.#done = 0
    this.#scanner.push(piece, at)
    if (isEnd) {
      this.#scanner.end(this.#length)
      this.#settle()
      this.#conclude()
      return
    }
    this.#advance(piece, piece.length)
    this.#last = piece.charCodeAt(piece.length - 1)
    this.#lines?.read(piece, at)
    this.#settle()
    this.safe = this.#released(this.#hold())
    if (this.#next > 0 && this.#next * 2 >= this.#pending.length) {
      this.#pending.splice(0, this.#next)
      this.#next = 0
    }
  }

  #begin(at: number): void {
    this.#start = at
    this.#lineStart = at
    this.#lines?.restart(at)
  }

  #open(chunk: string, index: number): void {
    // At the end nothing is held.
    if (this.#isEnd) return
    this.#advance(chunk, index)
    const last = index === 0 ? this.#last : chunk.charCodeAt(index - 1)
    const hold = this.#withoutSpace(this.#length - chunk.length + index, last)
    this.#opened = { lineStart: this.#lineStart, mark: this.#mark, hold, hasTag: this.#hasTag }
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
    if (marker.fault === undefined) this.#wellFormed.push(marker)
    const matters = this.#paragraphs !== undefined || this.#sources === undefined || !supports(marker, this.#sources)
    if (matters) this.#pending.push({ marker, before: this.#opened })
  }

  /** Settles markers and paragraphs in text order, up to the first that is open. */
  #settle(): void {
    const { outline } = this.#reading
    for (;;) {
      const pending = this.#pending[this.#next]
      const paragraph = this.#paragraphs?.first(outline)
      if (pending && !(paragraph && paragraph.end <= pending.marker.span.start)) {
        const place = this.#placeOf(pending)
        if (place === 'open') return
        if (place === 'text') this.#count(pending)
        this.#next++
      } else if (paragraph === undefined) return
      else this.#judge(paragraph, outline)
    }
  }

  /** Decides what a marker is in as soon as no continuation can change it; asked in text order. */
  #placeOf({ marker, before }: PlacedMarker): 'code' | 'text' | 'open' {
    const { closed, outline } = this.#reading
    const { start } = marker.span
    if (start < closed) return this.#reading.inCode(start) ? 'code' : 'text'
    if (outline.inFence(start)) return outline.openFence === outline.marginFence ? 'code' : 'open'
    if (before.mark >= closed) return 'open'
    // A paragraph above may end without a citation, which would have to be reported first.
    const mayBeSecond = this.#paragraphs && !supports(marker, this.#sources) && before.lineStart > endOfRead(outline, before.hasTag)
    return mayBeSecond ? 'open' : 'text'
  }

  /** Takes account of a marker that is certain. */
  #count({ marker, before }: PlacedMarker): void {
    if (supports(marker, this.#sources)) {
      if (this.#sources === undefined) this.#unknown ??= before.hold
      this.#paragraphs?.cite(marker.span.start, before.lineStart)
      return
    }
    if (++this.#wrong > mostMarkers) {
      this.#further ??= marker
      return
    }
    const repair = isDoubled(marker, this.#sources) ? 'lossless' : this.#rules.dropUnsupported ? 'lossy' : undefined
    const start = this.#isEnd ? marker.span.start : this.#released(this.#hold())
    this.#reading.wrong({ start, at: marker.at, issue: () => this.#say.wrong(marker, this.#sources), rank: 0, ...(repair && { repair }) })
  }

  /** Judges a paragraph that has ended. */
  #judge(paragraph: Paragraph, outline: AnswerOutline): void {
    // In a stream that has failed, what ends later would depend on the chunks.
    const matters = this.#isEnd || this.#wrong === 0
    if (matters && this.#paragraphs?.isUncited(paragraph, outline)) {
      const { start, end } = paragraph
      const text = this.#reading.slice({ start, end })
      this.#isUncited = true
      const from = this.#isEnd ? start : this.#released(this.#hold())
      const issue = () => this.#say.uncited(text, { start, end })
      this.#reading.wrong({ start: from, at: end, issue, rank: 1, ...(this.#rules.dropUnsupported && { repair: 'lossy' }) })
    }
    this.#paragraphs?.pass(paragraph)
  }

  /** What only the whole answer shows. */
  #conclude(): void {
    const { answer } = this.#reading
    const citations: Citation[] = []
    let isSupported = false
    for (const { numbers, span } of this.#wellFormed) {
      if (this.#reading.inCode(span.start)) continue
      for (const number of numbers) citations.push(citationOf(number, span))
      if (supports({ numbers }, this.#sources)) isSupported = true
    }
    this.#reading.fact('citations', citations)
    if (this.#further) this.#reportRest(this.#further)
    // A turn that only calls tools says nothing yet that could be supported.
    const isSilent = answer?.isBetween && !answer.visible
    const isMissing = this.#rules.requireCitations !== false && !isSupported && !this.#isUncited && !isSilent
    if (isMissing) this.#reading.wrong({ start: this.#length, at: Number.POSITIVE_INFINITY, issue: () => this.#say.missing(), rank: 1 })
    // What is wrong however many sources there are needs no number of them.
    const isRight = this.#wrong === 0 && !this.#isUncited && !isMissing
    if (this.#sources === undefined && isSupported && isRight) throw sourcesUnknown(this.#reading.context)
  }

  #reportRest(next: Marker): void {
    const { span } = next
    const issue = () => this.#say.more(this.#say.wrong(next, this.#sources).code, this.#wrong - mostMarkers, span)
    this.#reading.wrong({ start: span.start, at: Number.POSITIVE_INFINITY, issue, rank: 0 })
  }

  /** Where text is held whatever paragraphs and lines need. */
  #hold(): number {
    const pending = this.#pending[this.#next]
    if (this.#unknown !== undefined) return this.#unknown
    if (pending) return pending.before.hold
    return this.#scanner.open === undefined ? this.#withoutSpace(this.#length, this.#last) : this.#opened.hold
  }

  /** An offset without the space before it, which goes with a marker that is dropped. */
  #withoutSpace(offset: number, last: number): number {
    return this.#rules.dropUnsupported && last === space ? offset - 1 : offset
  }

  /** How far the text is released that is held from an offset on. */
  #released(hold: number): number {
    const { outline } = this.#reading
    const shown = Math.min(hold, this.#paragraphs?.hold(outline, this.#lineStart, this.#length, this.#hasTag) ?? hold)
    return this.#lines?.before(shown) ?? shown
  }
}

const space = 32
const lessThan = 60
const backtick = 96
const tilde = 126
