import type { AnswerReader } from '../../answer/reader.ts'
import type { Locale } from '../../contract/locale.ts'
import type { IncrementalCheck, Progress } from '../../contract/validator.ts'
import { DecidedLines } from '../shared/decided-lines.ts'
import { boundsOf, elements, type MarkdownOptions } from './options.ts'
import { type Fault, type MarkdownCode, MarkdownScan } from './scan.ts'

/** Lines that start otherwise are not a heading, list item, table or fence, and underline none. */
const marks = '#*+-=|:~`>'

/** Whether an answer can break a rule before its end. */
export function canFailEarly(options: MarkdownOptions): boolean {
  const { levels, skipLevels, required, ordered } = options.headings ?? {}
  const isOrdered = ordered === true && (required?.length ?? 0) > 1
  return levels !== undefined || skipLevels === false || isOrdered || elements.some((one) => boundsOf(options, one).max !== undefined)
}

/** Judges every line when its place in the document is known, and holds the line before that unless it can break no rule. */
export class MarkdownStream implements IncrementalCheck<MarkdownCode> {
  readonly #options: MarkdownOptions
  readonly #repairs: boolean
  readonly #scan: MarkdownScan
  readonly #lines = new DecidedLines()
  #length = 0
  #failed: Progress<MarkdownCode> | undefined

  constructor(options: MarkdownOptions, repairs: boolean, locale: Locale) {
    this.#options = options
    this.#repairs = repairs
    this.#scan = new MarkdownScan(options, locale)
  }

  push(chunk: string, reader: AnswerReader): Progress<MarkdownCode> {
    this.#length += chunk.length
    if (this.#failed) return this.#failed
    const faults = [...this.#judge(chunk, reader)]
    if (faults.length === 0) return { safe: this.#safe(reader) }
    const at = faults.reduce((first, one) => Math.min(first, one.at), Number.POSITIVE_INFINITY)
    const issues = faults.filter((one) => one.at === at).map(({ issue }) => issue)
    // Only levels are repaired.
    const isFinal = !this.#repairs || issues.some(({ code }) => code !== 'HEADING_LEVEL')
    const safe = issues.reduce((first, { span }) => Math.min(first, span?.start ?? at), Number.POSITIVE_INFINITY)
    this.#failed = { safe, failure: { at, issues, ...(isFinal ? { final: true as const } : {}) } }
    return this.#failed
  }

  *#judge(chunk: string, reader: AnswerReader): Generator<Fault> {
    for (const line of this.#lines.push(chunk, reader)) yield* this.#scan.takeLine(line, reader)
    yield* this.#scan.takeOutline(reader)
  }

  #safe(reader: AnswerReader): number {
    const { codeBlocks, highlights } = this.#options
    const open = reader.openFence?.start
    // One block more would be too many.
    if (open !== undefined && this.#scan.count('codeBlocks') >= (codeBlocks?.max ?? Number.POSITIVE_INFINITY)) return open
    const { first, lineStart } = this.#lines
    if (first !== undefined) return Math.min(first.start, reader.decided)
    const head = reader.lineHead
    const flows = head !== '' && !marks.includes(head) && highlights?.max === undefined
    return flows || open !== undefined ? this.#length : Math.max(lineStart, reader.bodyStart)
  }
}
