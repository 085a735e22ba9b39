import { type Line, LineSplitter } from '../../answer/lines.ts'
import type { AnswerReader } from '../../answer/reader.ts'
import { ReasoningSkipper } from '../../answer/reasoning.ts'
import type { Locale } from '../../contract/locale.ts'
import type { IncrementalCheck, Progress } from '../../contract/validator.ts'
import { boundsOf, elements, type MarkdownOptions } from './options.ts'
import { type Fault, type MarkdownCode, MarkdownScan } from './scan.ts'

/** Lines that start otherwise are no heading, list item, table or fence, and underline none. */
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
  readonly #reasoning = new ReasoningSkipper()
  #lines: LineSplitter | undefined
  readonly #waiting: Line[] = []
  #lineStart = 0
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
    this.#split(chunk)
    const faults = [...this.#judge(reader)]
    if (faults.length === 0) return { safe: this.#safe(reader) }
    const at = Math.min(...faults.map((one) => one.at))
    const issues = faults.filter((one) => one.at === at).map(({ issue }) => issue)
    // Only levels are repaired.
    const isFinal = !this.#repairs || issues.some(({ code }) => code !== 'HEADING_LEVEL')
    const safe = Math.min(...issues.map(({ span }) => span?.start ?? at))
    this.#failed = { safe, failure: { at, issues, ...(isFinal ? { final: true as const } : {}) } }
    return this.#failed
  }

  #split(chunk: string): void {
    const body = this.#reasoning.push(chunk)
    if (body === '') return
    this.#lines ??= new LineSplitter((text, start, next) => {
      this.#waiting.push({ text, start, next })
      this.#lineStart = next
    }, this.#reasoning.bodyStart)
    this.#lines.push(body)
  }

  *#judge(reader: AnswerReader): Generator<Fault> {
    let judged = 0
    for (const line of this.#waiting) {
      if (line.next > reader.decided) break
      judged++
      yield* this.#scan.takeLine(line, reader)
    }
    this.#waiting.splice(0, judged)
    yield* this.#scan.takeOutline(reader)
  }

  #safe(reader: AnswerReader): number {
    const { codeBlocks, highlights } = this.#options
    const open = reader.openFence?.start
    // One block more would be too many.
    if (open !== undefined && this.#scan.count('codeBlocks') >= (codeBlocks?.max ?? Number.POSITIVE_INFINITY)) return open
    const first = this.#waiting[0]
    if (first !== undefined) return Math.min(first.start, reader.decided)
    const head = reader.lineHead
    const flows = head !== '' && !marks.includes(head) && highlights?.max === undefined
    return flows || open !== undefined ? this.#length : Math.max(this.#lineStart, reader.bodyStart)
  }
}
