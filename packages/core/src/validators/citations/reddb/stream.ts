import type { AnswerReader } from '../../../answer/reader.ts'
import type { IncrementalCheck, Progress } from '../../../contract/validator.ts'
import { type WarningCode, warningIssue } from './issue.ts'
import { type CitationWarning, warningOf } from './parse.ts'
import { type FoundMarker, ReddbScanner } from './scanner.ts'

/** Holds what may become a marker, and fails at the bracket that closes a wrong one. */
export class ReddbStream implements IncrementalCheck<WarningCode> {
  readonly #scanner = new ReddbScanner((found) => this.#take(found))
  readonly #sources: number | undefined
  #length = 0
  #wrong: CitationWarning | undefined
  /** The first marker that cannot be judged. */
  #unknown = Number.POSITIVE_INFINITY

  constructor(sources: number | undefined) {
    this.#sources = sources
  }

  push(chunk: string, { bodyStart }: AnswerReader): Progress<WarningCode> {
    const reasoning = Math.min(Math.max(0, bodyStart - this.#length), chunk.length)
    this.#length += chunk.length
    this.#scanner.skip(reasoning)
    this.#scanner.push(reasoning === 0 ? chunk : chunk.slice(reasoning))
    if (this.#wrong === undefined) return { safe: Math.min(this.#unknown, this.#scanner.decided) }
    const { span } = this.#wrong
    return { safe: Math.min(this.#unknown, span.start), failure: { at: span.end, issues: [warningIssue(this.#wrong)] } }
  }

  #take(found: FoundMarker): void {
    if (found.marker !== undefined && this.#sources === undefined) this.#unknown = Math.min(this.#unknown, found.span.start)
    this.#wrong ??= warningOf(found, this.#sources ?? Number.POSITIVE_INFINITY)
  }
}
