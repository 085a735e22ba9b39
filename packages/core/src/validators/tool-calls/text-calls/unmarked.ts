import type { Answer } from '../../../answer/answer.ts'
import type { CodeBlock } from '../../../answer/outline.ts'
import type { TextSpan } from '../../../answer/span.ts'
import type { CallableTools } from '../notations/callable-tools.ts'
import { isLikeCall, likenesses, notationOf, readCalls } from '../notations/read-calls.ts'
import { readFencedCalls, type TextToolCalls } from './fenced.ts'

/** A text that looks like a call, but cannot be read as one of a tool that was offered. */
export interface Lookalike {
  readonly span: TextSpan
  /** Whether it names a tool that was offered. */
  readonly isOffered: boolean
}

/** What is calls without marks, or looks like it, each in the order of the text. */
export interface UnmarkedCalls {
  readonly found: readonly TextToolCalls[]
  readonly lookalikes: readonly Lookalike[]
}

/** Finds the paragraphs, lines and fences of an answer that are nothing but calls without marks, and what looks like calls. */
export function findUnmarkedCalls(answer: Answer, start: number, tools: CallableTools): UnmarkedCalls {
  const finder = new UnmarkedFinder(answer.text, tools)
  let at = start
  for (const block of answer.codeBlocks) {
    if (block.span.start < at) continue
    finder.words(at, block.span.start)
    finder.fence(block)
    at = block.span.end
  }
  finder.words(at, answer.text.length)
  return finder
}

/** Before a blank line. */
const paragraphEnd = /(?<=\n)(?=[^\S\n]*\n)/
const quoteMark = /^[^\S\n]{0,3}>/m

class UnmarkedFinder implements UnmarkedCalls {
  readonly found: TextToolCalls[] = []
  readonly lookalikes: Lookalike[] = []
  readonly #text: string
  readonly #tools: CallableTools
  /** Whether anything but fences with calls has come: marks in a fence are shown then, not meant. */
  #hasWords = false

  constructor(text: string, tools: CallableTools) {
    this.#text = text
    this.#tools = tools
  }

  /** Looks at the paragraphs of a part without fences; block quotes are of somebody else. */
  words(start: number, end: number): void {
    let next = start
    for (const paragraph of this.#text.slice(start, end).split(paragraphEnd)) {
      const visible = paragraph.trimStart()
      const at = next + paragraph.length - visible.length
      next += paragraph.length
      this.#hasWords ||= visible !== ''
      const quote = visible.search(quoteMark)
      this.#paragraph(quote < 0 ? visible : visible.slice(0, quote), at)
    }
  }

  fence({ span, content, closed, nested }: CodeBlock): void {
    const text = this.#text.slice(span.start, span.end)
    if (closed && !nested && this.#find((this.#hasWords ? readCalls : readFencedCalls)(content, this.#tools), span.start, text, content))
      return
    this.#hasWords = true
    // A program may call anything, but does not begin with it.
    this.#compare(text, span.start, /^\s*[[{]/.test(content) ? content : content.trimStart().split('\n', 1)[0])
  }

  #paragraph(text: string, start: number): void {
    if (text === '' || this.#find(readCalls(text, this.#tools), start, text)) return
    this.#compare(text, start)
    // A comment belongs to a program, of which nothing is read.
    if (/^[ \t]*#/m.test(text)) return
    let at = start
    for (const line of text.split(/(?<=\n)/)) {
      if (!this.#find(readCalls(line, this.#tools), at, line) && isLikeCall(line)) this.#resemble(at, line.length)
      at += line.length
    }
  }

  #find(calls: TextToolCalls['calls'] | undefined, start: number, text: string, content?: string): boolean {
    const span = { start, end: start + text.trimEnd().length }
    if (calls) this.found.push({ calls, span, dialect: notationOf(content ?? text), isFenced: content !== undefined })
    return calls !== undefined
  }

  /** Keeps in mind what looks like a call of a tool in a text; of another tool, only where a part of it is nothing else. */
  #compare(text: string, start: number, part?: string): void {
    if (part !== undefined && isLikeCall(part)) this.#resemble(start, text.length)
    for (const found of likenesses(text, this.#tools))
      this.lookalikes.push({ span: { start: start + found.start, end: start + found.end }, isOffered: true })
  }

  #resemble(start: number, length: number): void {
    this.lookalikes.push({ span: { start, end: start + length }, isOffered: false })
  }
}
