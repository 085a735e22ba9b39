import type { AnswerReader } from '../../answer/reader.ts'
import type { TextSpan } from '../../answer/span.ts'
import { InlineCodeWatch, KeptText } from '../shared/kept-text.ts'

/** Finds what may begin code. */
export const hasCodeMark = /[`~]/

/** Decides whether places of a stream are code, as soon as no continuation can change it; asked in text order. */
export class PlaceWatch {
  readonly #kept = new KeptText()
  readonly #code = new InlineCodeWatch(this.#kept)
  /** Where code may begin. */
  #marks: number[] = []
  #length = 0
  #lines = 0

  push(chunk: string): void {
    if (hasCodeMark.test(chunk)) for (const { index } of chunk.matchAll(/[`~]+/g)) this.#marks.push(this.#length + index)
    this.pass(chunk)
  }

  /** Takes text without marks of code. */
  pass(text: string): void {
    this.#kept.push(text)
    this.#length += text.length
  }

  /** Forgets what is before the block that is open. */
  forget({ closed, linesRead }: AnswerReader): void {
    if (linesRead === this.#lines) return
    this.#lines = linesRead
    this.#kept.dropTo(closed)
    if ((this.#marks[0] ?? closed) < closed) this.#marks = this.#marks.filter((mark) => mark >= closed)
  }

  isInFence(offset: number, reader: AnswerReader): boolean {
    return reader.inFence(offset) && (offset < reader.decided || reader.openFence === reader.marginFence)
  }

  /** Whether text starts in code; undefined when that is not known, or not where in it code begins. */
  isCode({ start, end }: TextSpan, reader: AnswerReader): boolean | undefined {
    if (reader.inFence(start)) return this.isInFence(start, reader) || undefined
    if (reader.inReasoning) return undefined
    if (end <= reader.closed) return this.#code.holds(start, reader)
    return this.#marks.some((mark) => mark >= reader.closed && mark < end) ? undefined : false
  }

  /** How much is read of what decides whether an offset is code. */
  read(offset: number, reader: AnswerReader): number {
    return reader.inReasoning ? -1 : reader.inFence(offset) ? reader.decided : reader.closed
  }
}
