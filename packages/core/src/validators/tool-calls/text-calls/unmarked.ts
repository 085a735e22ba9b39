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
interface UnmarkedCalls {
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
/** The end of a line after which calls may begin: its sentence is over. */
const sentenceEnd = /[.:!?。：！？]["')*_]{0,3}\s*$/

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
      const from = paragraph.lastIndexOf('\n', paragraph.search(/\S|$/)) + 1
      const quote = paragraph.search(quoteMark)
      this.#paragraph(paragraph.slice(from, quote < 0 ? paragraph.length : quote), next + from)
      this.#hasWords ||= paragraph.trim() !== ''
      next += paragraph.length
    }
  }

  fence({ span, content, closed, nested }: CodeBlock): void {
    const text = this.#text.slice(span.start, span.end)
    if (closed && !nested && this.#find((this.#hasWords ? readCalls : readFencedCalls)(content, this.#tools), span.start, text, content))
      return
    this.#hasWords = true
    // A program may call anything, but does not begin with it.
    const first = /^\s*[[{]/.test(content) ? content : (content.trimStart().split('\n', 1)[0] ?? '')
    if (isLikeCall(first)) this.#resemble(span.start, text.length)
    for (const [line, at] of linesOf(text, span.start)) this.#compare(line, at)
  }

  #paragraph(text: string, start: number): void {
    if (this.#find(this.#callsIn(text), start, text)) return
    this.#compare(text, start)
    // A comment belongs to a program, of which nothing is read.
    const isProgram = /^[ \t]*#/m.test(text)
    let mayBegin = !isProgram
    for (const [line, at] of linesOf(text, start)) {
      const isCall = mayBegin && this.#find(this.#callsIn(line), at, line)
      if (!isCall && isLikeCall(line)) this.#resemble(at, line.length)
      mayBegin = !isProgram && (isCall || sentenceEnd.test(line.slice(-20)))
    }
  }

  /** Indented, it is code. */
  #callsIn(text: string): TextToolCalls['calls'] | undefined {
    return /^\S/.test(text) ? readCalls(text, this.#tools) : undefined
  }

  #find(calls: TextToolCalls['calls'] | undefined, start: number, text: string, content?: string): boolean {
    const span = { start, end: start + text.trimEnd().length }
    if (calls) this.found.push({ calls, span, dialect: notationOf(content ?? text), isFenced: content !== undefined })
    return calls !== undefined
  }

  #compare(text: string, start: number): void {
    for (const found of likenesses(text, this.#tools))
      this.lookalikes.push({ span: { start: start + found.start, end: start + found.end }, isOffered: true })
  }

  #resemble(start: number, length: number): void {
    this.lookalikes.push({ span: { start, end: start + length }, isOffered: false })
  }
}

/** The lines of a text that starts at an offset, each with its own. */
function linesOf(text: string, start: number): (readonly [line: string, at: number])[] {
  let next = start
  return text.split(/(?<=\n)/).map((line) => {
    next += line.length
    return [line, next - line.length]
  })
}
