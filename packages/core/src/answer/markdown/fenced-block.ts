import type { CodeBlock } from '../outline.ts'
import type { TextSpan } from '../span.ts'
import { closesFence, type FenceOpening, isMarkdown, languageOf, readFenceOpening } from './fence.ts'
import { readListMarker, visibleFrom } from './line-marks.ts'

interface InnerFence extends Pick<FenceOpening, 'char' | 'length'> {
  /** The column at which it opens. */
  readonly indent: number
  readonly holdsDocument: boolean
}

/** The blocks that are open inside a fence that holds a Markdown document, which models seldom make longer than those in it. */
class InnerFences {
  readonly #outer: InnerFence
  readonly #open: InnerFence[] = []

  constructor({ char, length }: Pick<FenceOpening, 'char' | 'length'>) {
    this.#outer = { char, length, indent: 0, holdsDocument: true }
  }

  /** Whether none is open. */
  get empty(): boolean {
    return this.#open.length === 0
  }

  /** The lines that close what is open, innermost first. */
  get closers(): string[] {
    return this.#open.map(({ char, length }) => char.repeat(length)).reverse()
  }

  /** Takes a line whose first visible character is at `at`, and returns what it does to the outer fence or to an inner one. */
  take(line: string, at: number, indent: number): 'ends' | 'closes' | 'content' {
    const current = this.#open.at(-1) ?? this.#outer
    if (indent <= current.indent + 3 && closesFence(line, at, current)) return this.#open.pop() ? 'closes' : 'ends'
    if (current.holdsDocument) this.#openAt(line, at, indent, current)
    return 'content'
  }

  #openAt(line: string, at: number, indent: number, current: InnerFence): void {
    const start = afterListMarkers(line, at)
    const opening = readFenceOpening(line, start)
    if (opening === undefined || opening.char !== current.char || opening.length < current.length) return
    // A bare fence may close, unless it starts a list item.
    if (opening.info === '' && start === at) return
    const { char, length } = opening
    this.#open.push({ char, length, indent: indent + start - at, holdsDocument: isMarkdown(languageOf(opening.info)) })
  }
}

function afterListMarkers(line: string, from: number): number {
  let at = from
  for (let marker = readListMarker(line, at); marker; marker = readListMarker(line, at)) {
    at = visibleFrom(line, at + marker.length)
  }
  return at
}

/** Where a fence opens. */
interface FencePlace {
  readonly start: number
  readonly contentStart: number
  readonly indent: number
  /** The column of the fence in its line. */
  readonly column: number
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
  readonly column: number
  readonly nested: boolean
  readonly start: number
  /** Whether its container has ended before it; then these columns are taken off each line. */
  isAdrift = false
  baseIndent: number | undefined
  verbatim: boolean
  closed = false
  holdsFences = false
  readonly #inner: InnerFences | undefined
  readonly #lines: string[] = []
  readonly #contentStart: number
  #contentEnd: number
  #end: number
  #language: string | undefined

  constructor(opening: FenceOpening, { start, contentStart, indent, column, nested }: FencePlace) {
    this.char = opening.char
    this.length = opening.length
    this.info = opening.info
    this.indent = indent
    this.column = column
    this.nested = nested
    this.start = start
    this.verbatim = !nested
    this.#inner = isMarkdown(this.language) ? new InnerFences(opening) : undefined
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

  /** The lines that close it and what is open in it, innermost first. */
  get closers(): readonly string[] {
    return [...(this.#inner?.closers ?? []), this.char.repeat(this.length)]
  }

  /** Whether a line whose first visible character is at `at` ends the block. */
  endsWith(line: string, at: number, indent: number): boolean {
    if (this.#inner === undefined) return indent <= Math.max(3, this.indent) && closesFence(line, at, this)
    const effect = this.#inner.take(line, at, indent)
    if (effect === 'closes') this.holdsFences = true
    return effect === 'ends'
  }

  /** Whether a line at the margin could end a document, or open a block in it. */
  mayEndWith(line: string): boolean {
    const at = visibleFrom(line, 0)
    return this.#inner?.empty === true && at <= 3 && closesFence(line, at, this)
  }

  /** Where the lines end that can only be code, of those that begin at `from`: before the next one with as many of its marks. */
  endOfCode(text: string, from: number): number {
    if (this.#inner !== undefined || this.indent > 0) return from
    const marks = text.indexOf(this.char.repeat(this.length), from)
    return Math.max(from, text.lastIndexOf('\n', marks < 0 ? text.length : marks) + 1)
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
