import type { AnswerReader } from '../../answer/reader.ts'
import { KeptText } from '../shared/kept-text.ts'
import { htmlInReasoning } from './html-reasoning.ts'
import { mostRead } from './html-tag.ts'
import { type FoundHtml, type HtmlRule, HtmlWatch, htmlStart } from './html-watch.ts'

/** Holds a stream from where HTML may begin until it is judged. */
export class HtmlStream {
  readonly #kept = new KeptText()
  readonly #watch: HtmlWatch
  /** Where HTML may begin, those first that are judged. */
  #starts: number[] = []
  #next = 0
  #length = 0
  /** How much was read when it was not known whether a tag goes on. */
  #tried = -1
  /** Whether the text begins with reasoning, and whether that has ended. */
  #isReasoning = false
  #isBody = false
  /** Whether the text ends with what may begin a tag. */
  #isOpen = false

  constructor(rule: HtmlRule) {
    this.#watch = new HtmlWatch(rule, (span) => this.#kept.slice(span))
  }

  /** Everything before this offset is judged. */
  get safe(): number {
    return this.#starts[this.#next] ?? this.#length - (this.#isOpen ? 1 : 0)
  }

  /** Takes the next chunk; returns the first HTML that is not allowed. */
  push(chunk: string, reader: AnswerReader): FoundHtml | undefined {
    const text = this.#isOpen ? `<${chunk}` : chunk
    const base = this.#length + chunk.length - text.length
    if (this.#length === 0) this.#watch.hasByteOrderMark = chunk.startsWith('\ufeff')
    this.#length += chunk.length
    this.#kept.push(chunk)
    for (const { index } of text.matchAll(htmlStart)) this.#starts.push(base + index)
    this.#isOpen = text.endsWith('<')
    const found = this.#settleReasoning(reader) ?? (this.#tried >= reader.closed ? undefined : this.#settle(reader))
    if (found === undefined && !reader.inReasoning && this.#next === this.#starts.length) {
      this.#starts = []
      this.#next = 0
      this.#kept.dropTo(reader.closed)
    }
    return found
  }

  /** Judges reasoning when it has ended: which of it is code is only known then. */
  #settleReasoning(reader: AnswerReader): FoundHtml | undefined {
    const { bodyStart, inReasoning } = reader
    if (bodyStart === 0 || this.#isBody) return undefined
    // The tag that begins it is no HTML of its own.
    if (!this.#isReasoning) this.#next++
    this.#isReasoning = true
    if (inReasoning) return undefined
    this.#isBody = true
    return htmlInReasoning(this.#kept.slice({ start: 0, end: bodyStart })).next().value ?? undefined
  }

  #settle(reader: AnswerReader): FoundHtml | undefined {
    for (let at = this.#starts[this.#next]; at !== undefined; at = this.#starts[this.#next]) {
      const isSkipped = at < reader.bodyStart && !reader.inReasoning
      const fence = reader.openFence
      const isCode = fence !== undefined && at >= fence.start && (fence === reader.marginFence || at < reader.decided)
      if (
        !isSkipped &&
        (isCode ? fence.holdsFences || this.#watch.mayBeText(fence.info, fence.start) : at >= reader.closed || reader.inReasoning)
      )
        return undefined
      const found = isCode || isSkipped ? undefined : this.#watch.judge(at, reader, reader.closed, false)
      if (found === 'open') {
        this.#tried = reader.closed - at > mostRead ? Number.POSITIVE_INFINITY : reader.closed
        return undefined
      }
      if (found !== undefined) return found
      this.#next++
    }
    return undefined
  }
}
