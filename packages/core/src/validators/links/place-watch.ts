import type { CodeBlock } from '../../answer/outline.ts'
import type { AnswerReader } from '../../answer/reader.ts'
import { spanHolds, type TextSpan } from '../../answer/span.ts'
import { InlineCodeWatch, KeptText } from '../shared/kept-text.ts'

/** Finds what may begin code. */
export const hasCodeMark = /[`~]/

/** Whether some readers see no fence, but text: behind a byte order mark, and in the head of a table. */
export function mayBeText({ info, span, content, nested }: CodeBlock, text: string): boolean {
  // A list or a quotation that begins there is none either.
  if (text.startsWith('\ufeff') && (nested || span.start === 1)) return true
  const row = info.includes('|') ? (/^[^\r\n]*/.exec(content)?.[0] ?? '') : ''
  return row.includes('-') && /^[\s|:-]+$/.test(row)
}

/** Decides whether places of a stream are code, as soon as no continuation can change it; asked in text order. */
export class PlaceWatch {
  /** The first character of the text. */
  first = ''
  readonly #kept = new KeptText()
  readonly #code = new InlineCodeWatch(this.#kept)
  /** Where code may begin. */
  #marks: number[] = []
  #length = 0
  #lines = 0
  /** Blocks of code that are text for some readers, of those that were looked at. */
  readonly #texts: CodeBlock[] = []
  #blocks = 0

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
    return this.#isFenced(offset, reader) === true
  }

  /** Whether an offset is in a fence for all readers; undefined when that is not known. */
  #isFenced(offset: number, reader: AnswerReader): boolean | undefined {
    const { openFence, codeBlocks } = reader
    if (!reader.inFence(offset)) return false
    if (offset >= reader.decided && openFence !== reader.marginFence) return undefined
    if (openFence && openFence.start <= offset) {
      if (this.first === '\ufeff' && (openFence.start === 1 || openFence !== reader.marginFence)) return false
      return openFence.info.includes('|') ? undefined : true
    }
    for (; this.#blocks < codeBlocks.length; this.#blocks++) {
      const block = codeBlocks[this.#blocks] as CodeBlock
      if (mayBeText(block, this.first)) this.#texts.push(block)
    }
    return !spanHolds(this.#texts, offset)
  }

  /** Whether text starts in code; undefined when that is not known, or not where in it code begins. */
  isCode({ start, end }: TextSpan, reader: AnswerReader): boolean | undefined {
    if (reader.inFence(start)) return this.#isFenced(start, reader)
    if (reader.inReasoning) return undefined
    if (end <= reader.closed) return this.#code.holds(start, reader)
    return this.#marks.some((mark) => mark >= reader.closed && mark < end) ? undefined : false
  }

  /** How much is read of what decides whether an offset is code. */
  read(offset: number, reader: AnswerReader): number {
    return reader.inReasoning ? -1 : reader.inFence(offset) ? reader.decided : reader.closed
  }
}
