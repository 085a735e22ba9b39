import { type FenceOpening, languageOf } from './fence.ts'
import type { CodeBlock } from './outline.ts'
import type { TextSpan } from './span.ts'

/** Where a fence opens. */
interface FencePlace {
  readonly start: number
  readonly contentStart: number
  readonly indent: number
  readonly nested: boolean
}

/** A fenced code block that is being read, and then has been; its content is joined on demand. */
export class FencedBlock implements CodeBlock {
  readonly kind = 'fence'
  readonly char: '`' | '~'
  readonly length: number
  readonly info: string
  /** Columns that are taken off each line of the content. */
  readonly indent: number
  readonly nested: boolean
  readonly start: number
  verbatim: boolean
  closed = false
  readonly #lines: string[] = []
  readonly #contentStart: number
  #contentEnd: number
  #end: number
  #language: string | undefined

  constructor(opening: FenceOpening, { start, contentStart, indent, nested }: FencePlace) {
    this.char = opening.char
    this.length = opening.length
    this.info = opening.info
    this.indent = indent
    this.nested = nested
    this.start = start
    this.verbatim = !nested
    this.#contentStart = contentStart
    this.#contentEnd = contentStart
    this.#end = contentStart
  }

  get language(): string {
    this.#language ??= languageOf(this.info)
    return this.#language
  }

  get span(): TextSpan {
    return { start: this.start, end: this.#end }
  }

  get contentSpan(): TextSpan {
    return { start: this.#contentStart, end: this.#contentEnd }
  }

  get content(): string {
    return this.#lines.join('\n')
  }

  /** Adds a line, which is whole unless indentation was taken off it. */
  add(line: string, whole: boolean, next: number): void {
    this.#lines.push(line)
    this.#contentEnd = next
    this.#end = next
    if (!whole) this.verbatim = false
  }

  /** Ends the block, with its closing line or without. */
  close(closed: boolean, end: number): void {
    this.closed = closed
    if (closed) this.#end = end
  }
}
