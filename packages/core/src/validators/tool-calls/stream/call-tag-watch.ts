import type { AnswerReader } from '../../../answer/reader.ts'
import { InlineCodeWatch, KeptText } from '../../shared/kept-text.ts'
import { callTagAt } from '../text-calls/call-tags.ts'
import { QuoteLines } from '../text-calls/quote-lines.ts'

interface PendingTag {
  readonly at: number
  isQuoted?: boolean
}

/** Finds the first opening tag of a call in a stream that is not code and not in a block quote. */
export class CallTagWatch {
  /** Where the tag is that was found. */
  found: number | undefined
  readonly #kept: KeptText
  readonly #code: InlineCodeWatch
  readonly #quotes: QuoteLines
  readonly #pending: PendingTag[] = []
  /** The first tag that is not judged, and the first whose line is not complete. */
  #next = 0
  #unread = 0
  #length: number
  /** What may become a tag, at the end of the text. */
  #tail = ''

  constructor(start: number) {
    this.#length = start
    this.#kept = new KeptText(start)
    this.#code = new InlineCodeWatch(this.#kept)
    this.#quotes = new QuoteLines(start, (isQuoted, next) => this.#endLine(isQuoted, next))
  }

  /** Where text has to be held from; its end when it need not. */
  get hold(): number {
    return this.found ?? this.#pending[this.#next]?.at ?? this.#length - this.#tail.length
  }

  /** Takes the next piece of the body, which the reader has seen. */
  push(piece: string, reader: AnswerReader): void {
    if (this.found !== undefined) return
    this.#scan(piece)
    this.#kept.push(piece)
    this.#quotes.push(piece)
    this.#settle(reader)
    this.#kept.dropTo(reader.closed)
  }

  #scan(piece: string): void {
    const text = this.#tail + piece
    const base = this.#length - this.#tail.length
    this.#length += piece.length
    this.#tail = ''
    for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) {
      const kind = callTagAt(text, at)
      if (kind === 'tag') this.#pending.push({ at: base + at })
      else if (kind === 'start') this.#tail = text.slice(at)
    }
  }

  #endLine(isQuoted: boolean, next: number): void {
    for (let tag = this.#pending[this.#unread]; tag && tag.at < next; tag = this.#pending[++this.#unread]) tag.isQuoted = isQuoted
  }

  #settle(reader: AnswerReader): void {
    for (let tag = this.#pending[this.#next]; tag; tag = this.#pending[++this.#next]) {
      const isCode = this.#isCode(tag, reader)
      if (isCode === undefined) return
      if (isCode) continue
      this.found = tag.at
      return
    }
  }

  /** Undefined as long as more text may change it. */
  #isCode({ at, isQuoted }: PendingTag, reader: AnswerReader): boolean | undefined {
    if (at > (reader.marginFence?.start ?? Number.POSITIVE_INFINITY)) return true
    if (at >= reader.closed) return undefined
    return isQuoted === true || reader.inFence(at) || this.#code.holds(at, reader)
  }
}
