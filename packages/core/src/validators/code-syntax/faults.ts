import type { TextSpan } from '../../answer/span.ts'
import type { SyntaxFault } from '../../contract/syntax.ts'
import type { Snippet } from './snippet.ts'

/** Where the lines of a source start. */
function lineStarts(source: string): number[] {
  const starts = [0]
  for (const { index, 0: end } of source.matchAll(/\r\n|[\r\n]/g)) if (index + end.length < source.length) starts.push(index + end.length)
  return starts
}

/** Places the faults of a snippet; what a parser says of places that do not exist is moved to the nearest that does. */
export class FaultPlaces {
  readonly #snippet: Snippet
  readonly #starts: readonly number[]

  constructor(snippet: Snippet) {
    this.#snippet = snippet
    this.#starts = lineStarts(snippet.source)
  }

  /** The line of a fault, from 1. */
  lineOf({ line }: SyntaxFault): number {
    return within(line, 1, this.#starts.length)
  }

  /** Where a fault is in the answer. */
  spanOf(fault: SyntaxFault): TextSpan {
    const start = this.#offset(fault.line, fault.column)
    const end = Math.max(start, this.#offset(fault.endLine, fault.endColumn))
    const { place, span } = this.#snippet
    const at = { start: place(start), end: Math.max(place(start), place(end)) }
    if (at.start < at.end) return at
    // What is missing is shown at the character before which it is missing, or else after which.
    if (at.start < span.end) return { ...at, end: at.start + (this.#isPair(start) ? 2 : 1) }
    return { ...at, start: Math.max(span.start, at.start - (this.#isPair(start - 2) ? 2 : 1)) }
  }

  #isPair(offset: number): boolean {
    return (this.#snippet.source.codePointAt(offset) ?? 0) > 0xffff
  }

  #offset(line: number, column: number): number {
    const known = within(line, 1, this.#starts.length)
    const start = this.#starts[known - 1] ?? 0
    const end = this.#lineEnd(known)
    // After the last line means its end.
    return line > this.#starts.length ? end : start + within(column, 1, end - start + 1) - 1
  }

  #lineEnd(line: number): number {
    const { source } = this.#snippet
    let end = this.#starts[line] ?? source.length
    while (end > (this.#starts[line - 1] ?? 0) && /[\r\n]/.test(source.charAt(end - 1))) end--
    return end
  }
}

function within(value: number, least: number, most: number): number {
  if (!(value > least)) return least
  return Math.min(Math.trunc(value), most)
}
