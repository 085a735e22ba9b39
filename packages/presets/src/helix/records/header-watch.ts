import { Answer, type Progress, type TextSpan } from '@stickler/core'
import { type CodeBlock, languageOf } from '@stickler/core/internal'
import type { AnswerReader } from '@stickler/core/internal/validators'
import { documentKind, fencedHeaders, type Header, mayHoldDocument, mostHeaders, yamlOf } from './metadata-headers.ts'
import { tooManyHeaders } from './too-complex-header.ts'

/** Replaces the text of a stream, which is not kept, as the document of its headers. */
export const streamed = new Answer('')

/** A block of a stream that is or may hold headers, and those that it has. */
interface HeaderBlock {
  readonly span: TextSpan
  readonly headers: readonly Header<Answer>[]
  /** Absent for front matter. */
  readonly fence?: CodeBlock
}

/** Lines that begin so may be rules or fences: they are held until they are complete. */
const structural = new Set(['', '-', '`', '~'])

/** Reads the headers of a stream as they are completed, and holds what may become one. */
export class HeaderWatch {
  /** How far the stream is safe; the same object every time: there may be one for every few characters. */
  readonly progress = { safe: 0 } satisfies Progress
  readonly #headings: boolean
  #length = 0
  #linesRead = 0
  /** Whether the line that is being read can hold nothing that matters. */
  #flowing = false
  #frontMatters = 0
  #fences = 0
  #documents = 0

  /** With `headings`, they are held until they are complete too. */
  constructor(headings: boolean) {
    this.#headings = headings
  }

  /** Takes the next piece of the stream; whether there may be something new to judge, and to release. */
  push(chunk: string, { linesRead }: AnswerReader): boolean {
    this.#length += chunk.length
    // A line that could flow goes on flowing: most chunks end here.
    const isNew = !this.#flowing || linesRead !== this.#linesRead
    if (!isNew) this.progress.safe = this.#length
    this.#linesRead = linesRead
    return isNew
  }

  /** The next block that has been completed, in text order, as a check of the whole answer judges them. */
  next({ frontMatters, codeBlocks }: AnswerReader): HeaderBlock | undefined {
    for (;;) {
      const matter = frontMatters[this.#frontMatters]
      const fence = codeBlocks[this.#fences]
      if (matter && !(fence && fence.span.start < matter.span.start)) {
        if (++this.#frontMatters > mostHeaders) throw tooManyHeaders()
        const { span, content: source, atStart } = matter
        const header = { span, source, yaml: yamlOf(matter), atStart, fenced: false, at: span.start, document: streamed }
        return { span, headers: [header] }
      } else if (fence) {
        this.#fences++
        if (documentKind(fence) === undefined) continue
        if (++this.#documents > mostHeaders) throw tooManyHeaders()
        const headers = fencedHeaders(fence, fence.content, undefined, streamed, (text) => new Answer(text))
        return { span: fence.span, headers, fence }
      } else return undefined
    }
  }

  /** Releases the text that can hold no header that is still to be judged, but none from `held` on. */
  release(reader: AnswerReader, held = Number.POSITIVE_INFINITY): void {
    const { progress } = this
    progress.safe = Math.max(progress.safe, Math.min(held, this.#clear(reader)))
    this.#flowing = progress.safe === this.#length && reader.lineHead !== ''
  }

  #clear(reader: AnswerReader): number {
    const { openFence, lineHead } = reader
    if (openFence && mayHoldDocument(languageOf(openFence.info))) return openFence.start
    return reader.undecided || structural.has(lineHead) || (this.#headings && lineHead === '#') ? reader.decided : this.#length
  }
}
