import type { AnswerOutline, IncrementalCheck, Progress } from '@stickler/core'
import { type WarningCode, warningIssue } from './issues.ts'
import { type CitationWarning, warningOf } from './parse.ts'
import { type FoundMarker, ReddbScanner } from './scanner.ts'

/** Holds what may become a marker, and fails at the bracket that closes a wrong one. */
export class ReddbStream implements IncrementalCheck<WarningCode> {
  readonly #scanner = new ReddbScanner((found) => this.#take(found))
  readonly #sources: number | undefined
  #length = 0
  /** What is wrong with the text received, from the first marker on. */
  readonly #wrong: CitationWarning[] = []
  /** The first marker that cannot be judged. */
  #unknown = Number.POSITIVE_INFINITY

  constructor(sources: number | undefined) {
    this.#sources = sources
  }

  push(chunk: string, { bodyStart }: AnswerOutline): Progress<WarningCode> {
    const reasoning = Math.min(Math.max(0, bodyStart - this.#length), chunk.length)
    this.#length += chunk.length
    this.#scanner.skip(reasoning)
    this.#scanner.push(reasoning === 0 ? chunk : chunk.slice(reasoning))
    const [first, ...rest] = this.#wrong
    if (first === undefined) return { safe: Math.min(this.#unknown, this.#scanner.decided) }
    const failure = { at: first.span.end, issues: [warningIssue(first)], further: rest.map(warningIssue) }
    return { safe: Math.min(this.#unknown, first.span.start), failure }
  }

  #take(found: FoundMarker): void {
    if (found.marker !== undefined && this.#sources === undefined) this.#unknown = Math.min(this.#unknown, found.span.start)
    const warning = warningOf(found, this.#sources ?? Number.POSITIVE_INFINITY)
    if (warning !== undefined) this.#wrong.push(warning)
  }
}
