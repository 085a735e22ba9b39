import type { Answer } from '../../answer/answer.ts'
import type { AnswerReader } from '../../answer/reader.ts'
import type { Certificate } from '../../contract/certificate.ts'
import type { Machine, Reading } from '../../contract/machine/machine.ts'
import { prepareMachine } from '../../contract/machine/machine-run.ts'
import { defineValidator } from '../../contract/validator.ts'
import { DecidedLines } from '../shared/decided-lines.ts'
import { rightLevel } from './heading-watch.ts'
import { HtmlWatch } from './html.ts'
import { markdownMessages } from './messages.ts'
import { boundsOf, elements, type MarkdownOptions, markdownOptions } from './options.ts'
import { type MarkdownCode, MarkdownScan } from './scan.ts'

/** Lines that start otherwise are not a heading, list item, table or fence, and underline none. */
const marks = '#*+-=|:~`>'

/** Whether an answer can break a rule before its end. */
function canFailEarly(options: MarkdownOptions): boolean {
  const { levels, skipLevels, required, ordered } = options.headings ?? {}
  const isOrdered = ordered === true && (required?.length ?? 0) > 1
  return (
    options.html !== undefined ||
    levels !== undefined ||
    skipLevels === false ||
    isOrdered ||
    elements.some((one) => boundsOf(options, one).max !== undefined)
  )
}

/** Judges every line when its place in the document is known, and holds the line before that unless it can break no rule. */
class MarkdownMachine implements Machine {
  safe: number
  readonly #options: MarkdownOptions
  readonly #reading: Reading<MarkdownCode>
  readonly #marks: string
  readonly #scan: MarkdownScan
  readonly #lines = new DecidedLines()
  readonly #html: HtmlWatch | undefined
  readonly #waits: boolean
  /** From where the text is held until the line ends that is being read; undefined when that is not known. */
  #hold: number | undefined
  #linesRead = 0
  /** What has come of that line since. */
  #unread = ''

  constructor(options: MarkdownOptions, reading: Reading<MarkdownCode>) {
    this.#options = options
    this.#reading = reading
    const isNumbered = options.numberedItems?.max !== undefined || options.numberedLists?.max !== undefined
    this.#marks = `${marks}${options.headings?.bold ? '_' : ''}${isNumbered ? '0123456789' : ''}`
    this.#scan = new MarkdownScan(options, reading)
    this.#html = options.html && new HtmlWatch(options.html, reading)
    this.#waits = !canFailEarly(options)
    this.safe = this.#waits ? Number.POSITIVE_INFINITY : 0
  }

  get reach(): number | undefined {
    return this.#html?.reach
  }

  read(piece: string, at: number, isEnd: boolean): void {
    this.#unread += piece
    if (isEnd) this.#end(piece, at)
    else if (!this.#waits) this.#follow(piece, at)
  }

  #follow(piece: string, at: number): void {
    const { outline } = this.#reading
    if (this.#hold === undefined || outline.linesRead !== this.#linesRead) {
      this.#linesRead = outline.linesRead
      this.#takeLines(false)
      const hold = this.#holdFrom(outline)
      this.safe = hold
      this.#hold = outline.lineHead === '' ? undefined : hold
    } else this.safe = this.#hold
    if (this.#html === undefined) return
    this.#html.read(piece, at, false)
    this.safe = Math.min(this.safe, this.#html.safe)
  }

  #takeLines(isEnd: boolean): void {
    const { outline } = this.#reading
    for (const { text, start } of this.#lines.push(this.#unread, outline)) this.#scan.takeLine(text, start, outline)
    this.#unread = ''
    if (isEnd) {
      for (const { text, start } of this.#lines.end()) this.#scan.takeLine(text, start, outline)
      this.#scan.end(outline)
    }
    this.#scan.takeOutline(outline)
  }

  #end(piece: string, at: number): void {
    this.#takeLines(true)
    this.#html?.read(piece, at, true)
    // What is missing may follow once the tools have answered.
    if (!this.#reading.answer?.isBetween)
      for (const one of this.#scan.missing()) this.#reading.wrong({ start: at, at: Number.POSITIVE_INFINITY, issue: () => one })
  }

  #holdFrom(reader: AnswerReader): number {
    const { codeBlocks, highlights } = this.#options
    const open = reader.openFence?.start
    // One block more would be too many.
    if (open !== undefined && this.#scan.count('codeBlocks') >= (codeBlocks?.max ?? Number.POSITIVE_INFINITY)) return open
    const { first, lineStart } = this.#lines
    const undecided = this.#scan.undecided ?? Number.POSITIVE_INFINITY
    if (first !== undefined) return Math.min(first.start, reader.decided, undecided)
    const head = reader.lineHead
    const flows = head !== '' && !this.#marks.includes(head) && highlights?.max === undefined
    return flows || open !== undefined ? undecided : Math.min(undecided, Math.max(lineStart, reader.bodyStart))
  }
}

/** Fails when the Markdown of the answer has too few or too many elements, or the wrong headings; code and reasoning do not count. */
export const markdown = defineValidator({
  name: 'markdown',
  summary: 'The Markdown of the answer has the right headings, bullet points, numbered lists, highlights, tables, code blocks and HTML.',
  get options() {
    return markdownOptions()
  },
  repairs: true,
  codes: {
    TOO_MANY_ELEMENTS: {
      severity: 'error',
      when: 'The answer has more headings, bullets, numbered lists or items, highlights, tables or code blocks than `max`.',
      fix: 'Remove some of them, or raise `max`.',
    },
    TOO_FEW_ELEMENTS: {
      severity: 'error',
      when: 'The answer has fewer headings, bullets, numbered lists or items, highlights, tables or code blocks than `min`.',
      fix: 'Add some, or lower `min`.',
    },
    HEADING_MISSING: { severity: 'error', when: 'A heading of `required` is missing.', fix: 'Add the section under that heading.' },
    HEADING_ORDER: {
      severity: 'error',
      when: 'With `ordered`, a required heading comes before one that precedes it in the list.',
      fix: 'Write the sections in the order of the list.',
    },
    HTML_NOT_ALLOWED: {
      severity: 'error',
      when: 'The answer has HTML with `html: none`, or HTML that is not known to be harmless with `html: inert`; code does not count.',
      fix: 'Write Markdown instead, or put text in angle brackets into back-ticks.',
      repaired: false,
    },
    HEADING_LEVEL: {
      severity: 'error',
      when: 'A heading has a level that `levels` does not list, or skips a level without `skipLevels`.',
      fix: 'Change its level; a repair does so if lossy repairs are allowed.',
    },
  },
  instruct: (options, locale) => markdownMessages[locale].instruct(options),
  prepare: (options) =>
    prepareMachine<MarkdownCode>((reading) => new MarkdownMachine(options, reading), {
      reads: 'all',
      repair: (answer) => repairLevels(answer, options.headings),
    }),
})

/** Gives headings that start with `#` the level that is nearest to theirs; the words stay. */
function* repairLevels({ text, headings }: Answer, rules: MarkdownOptions['headings']): Generator<Certificate> {
  let before: number | undefined
  for (const { level, span } of headings) {
    const right = rightLevel(level, before, rules)
    before = right
    if (right === level) continue
    const start = text.indexOf('#', span.start)
    if (start < 0 || start >= span.end || text.slice(start, start + level) !== '#'.repeat(level)) continue
    yield {
      rule: 'heading-level',
      class: 'lossy',
      span: { start, end: start + level },
      before: '#'.repeat(level),
      after: '#'.repeat(right),
    }
  }
}
