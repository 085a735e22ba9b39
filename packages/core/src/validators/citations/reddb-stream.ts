import { type IssueDraft, issue } from '../../contract/issue.ts'
import type { IncrementalCheck, Progress } from '../../contract/validator.ts'
import { type CitationWarning, warningOf } from './parse-reddb.ts'
import { type FoundMarker, ReddbScanner } from './reddb-scanner.ts'

/** The codes of what RedDB's parser warns of. */
export const warningCodes = { malformed: 'CITATION_MALFORMED', out_of_range: 'CITATION_OUT_OF_RANGE' } as const

type Code = (typeof warningCodes)[CitationWarning['kind']]

/** Drafts the issue of a warning, in RedDB's own words. */
export function warningIssue({ kind, span, detail }: CitationWarning): IssueDraft<Code> {
  return issue(warningCodes[kind], detail, { span })
}

/** Holds what may become a marker, and fails at the bracket that closes a wrong one. */
export class ReddbStream implements IncrementalCheck<Code> {
  readonly #scanner = new ReddbScanner((found) => this.#take(found))
  readonly #sources: number | undefined
  #wrong: CitationWarning | undefined
  /** The first marker that cannot be judged. */
  #unknown = Number.POSITIVE_INFINITY

  constructor(sources: number | undefined) {
    this.#sources = sources
  }

  push(chunk: string): Progress<Code> {
    this.#scanner.push(chunk)
    if (this.#wrong === undefined) return { safe: Math.min(this.#unknown, this.#scanner.decided) }
    const { span } = this.#wrong
    return { safe: Math.min(this.#unknown, span.start), failure: { at: span.end, issues: [warningIssue(this.#wrong)] } }
  }

  #take(found: FoundMarker): void {
    if (found.marker !== undefined && this.#sources === undefined) this.#unknown = Math.min(this.#unknown, found.span.start)
    this.#wrong ??= warningOf(found, this.#sources ?? Number.POSITIVE_INFINITY)
  }
}
