import { isDelimiterRow, readListMarker, ThematicBreaks, visibleFrom } from '../../answer/markdown/line-marks.ts'
import { spanHolds, type TextSpan } from '../../answer/span.ts'
import { type IssueDraft, issue } from '../../contract/issue.ts'
import type { Reading } from '../../contract/machine/machine.ts'
import type { ReadOutline } from '../shared/decided-lines.ts'
import { type HeadingCode, HeadingWatch } from './heading-watch.ts'
import { markdownMessages } from './messages.ts'
import { NumberedLists } from './numbered-lists.ts'
import { boundsOf, type Element, elements, type MarkdownOptions } from './options.ts'

const star = 42

/** Counts what a line of Markdown holds, line by line, outside of code. */
class LineElements {
  bullets = 0
  highlights = 0
  tables = 0
  readonly numbered = new NumberedLists()
  readonly #breaks = new ThematicBreaks()
  /** Whether the line before may be the head of a table. */
  #mayBeHead = false
  #inTable = false

  /** Takes the next line that is not code. */
  take(line: string, marks?: readonly number[]): void {
    const start = visibleFrom(line, 0)
    this.#breaks.open(line)
    const isBreak = this.#breaks.at(start)
    const marker = isBreak ? undefined : readListMarker(line, start)
    const isBullet = marker !== undefined && !marker.ordered && visibleFrom(line, start + 1) < line.length
    if (isBullet) this.bullets++
    if (!isBreak) this.highlights += countHighlights(line, isBullet ? start + 1 : start)
    if (marks) this.numbered.take(line, marks, isBreak)
    this.#takeRow(line)
  }

  /** Takes a line of code, or one that is not Markdown. */
  skip(): void {
    this.#mayBeHead = false
    this.#inTable = false
  }

  #takeRow(line: string): void {
    const hasBar = line.includes('|')
    if (hasBar && !this.#inTable && this.#mayBeHead && isDelimiterRow(line)) {
      this.tables++
      this.#inTable = true
    }
    if (!hasBar) this.#inTable = false
    this.#mayBeHead = hasBar
  }
}

/** The number of passages between equal runs of stars that neither start nor end with white space. */
function countHighlights(line: string, from: number): number {
  const text = line.includes('`') ? line.replace(/`[^`]*`/g, (code) => ' '.repeat(code.length)) : line
  let count = 0
  let open: { readonly length: number; readonly opens: boolean } | undefined
  for (let at = text.indexOf('*', from); at >= 0; at = text.indexOf('*', at)) {
    const start = at
    while (text.charCodeAt(at) === star) at++
    const length = at - start
    if (open?.opens && open.length === length && !isBlankAt(text, start - 1)) {
      count++
      open = undefined
    } else open = { length, opens: at < text.length && !isBlankAt(text, at) }
  }
  return count
}

function isBlankAt(text: string, at: number): boolean {
  return text.charAt(at).trim() === ''
}

/** The text of a line that is one passage in bold; a colon may follow it. */
function boldText(line: string): string | undefined {
  const mark = line.slice(0, 2)
  const text = line.trimEnd().replace(/:$/, '')
  if ((mark !== '**' && mark !== '__') || text.length < 5 || !text.endsWith(mark)) return undefined
  const inner = text.slice(2, -2)
  return inner.trim() === inner && !inner.includes(mark) ? inner : undefined
}

/** What `markdown` can complain about. */
export type MarkdownCode = HeadingCode | 'TOO_FEW_ELEMENTS' | 'TOO_MANY_ELEMENTS' | 'HTML_NOT_ALLOWED'

const ofLines = ['bullets', 'numberedItems', 'numberedLists', 'highlights', 'tables'] as const

/** Counts the elements of an answer and follows its headings, whole or line by line. */
export class MarkdownScan {
  readonly #options: MarkdownOptions
  readonly #reading: Pick<Reading<MarkdownCode>, 'locale' | 'wrong'>
  readonly #lines = new LineElements()
  readonly #headings: HeadingWatch
  readonly #isNumbered: boolean
  readonly #limited: readonly Element[]
  readonly #exceeded = new Set<Element>()
  #headingCount = 0
  #boldCount = 0
  #blockCount = 0
  #itemCount = 0
  #mayBeginBlock = true
  /** A line in bold, which the next line may underline. */
  #bold: { readonly text: string; readonly span: TextSpan } | undefined

  constructor(options: MarkdownOptions, reading: Pick<Reading<MarkdownCode>, 'locale' | 'wrong'>) {
    this.#options = options
    this.#reading = reading
    this.#headings = new HeadingWatch(options.headings, reading.locale)
    this.#isNumbered = options.numberedItems !== undefined || options.numberedLists !== undefined
    this.#limited = ofLines.filter((element) => boundsOf(options, element).max !== undefined)
  }

  /** The number of elements so far. */
  count(element: Element): number {
    if (element === 'headings') return this.#headingCount + this.#boldCount
    if (element === 'numberedItems') return this.#lines.numbered.items
    if (element === 'numberedLists') return this.#lines.numbered.lists
    return element === 'codeBlocks' ? this.#blockCount : this.#lines[element]
  }

  /** Where the line begins that is a heading unless the next line underlines it. */
  get undecided(): number | undefined {
    return this.#bold?.span.start
  }

  /** Takes a line whose place in the outline is known. */
  takeLine(text: string, start: number, outline: ReadOutline): void {
    const isSkipped = outline.inFence(start) || spanHolds(outline.frontMatters, start)
    if (this.#options.headings?.bold) this.#takeBold(isSkipped ? '' : text, start, outline)
    const marks = this.#isNumbered ? this.#marksIn(start, start + text.length, outline) : undefined
    if (isSkipped) this.#lines.skip()
    else this.#lines.take(text, marks)
    for (const element of this.#limited) this.#judge(element, start, start + text.length)
  }

  /** The columns of a line at which list items begin. */
  #marksIn(start: number, end: number, { listItems }: ReadOutline): number[] {
    const marks: number[] = []
    for (let item = listItems[this.#itemCount]; item && item.span.start < end; item = listItems[this.#itemCount]) {
      marks.push(item.span.start - start)
      this.#itemCount++
    }
    return marks
  }

  /** Takes a line that may be in bold, and counts the one before it. */
  #takeBold(line: string, start: number, outline: ReadOutline): void {
    const isUnderline = /^ {0,3}(?:=+|-+)[ \t]*$/.test(line)
    if (!isUnderline) this.end(outline)
    this.#bold = undefined
    const text = this.#mayBeginBlock ? boldText(line) : undefined
    if (text !== undefined) this.#bold = { text, span: { start, end: start + line.length } }
    this.#mayBeginBlock = line.trim() === '' || /^ {0,3}#{1,6}[ \t]/.test(line) || isUnderline
  }

  /** Counts a line in bold that nothing underlines. */
  end(outline: ReadOutline): void {
    const bold = this.#bold
    this.#bold = undefined
    if (bold === undefined) return
    this.#takeHeadings(outline, bold.span.start)
    this.#boldCount++
    this.#takeHeading(bold)
  }

  /** Takes the headings and code blocks that are new. */
  takeOutline(outline: ReadOutline): void {
    const { codeBlocks } = outline
    this.#takeHeadings(outline, this.#bold?.span.start ?? Number.POSITIVE_INFINITY)
    for (; this.#blockCount < codeBlocks.length; ) {
      const block = codeBlocks[this.#blockCount++]
      if (block) this.#judge('codeBlocks', block.span.start, block.span.end)
    }
  }

  #takeHeadings({ headings }: ReadOutline, to: number): void {
    for (let heading = headings[this.#headingCount]; heading && heading.span.start < to; heading = headings[this.#headingCount]) {
      this.#headingCount++
      this.#takeHeading(heading)
    }
  }

  #takeHeading(heading: Parameters<HeadingWatch['take']>[0]): void {
    const { start, end } = heading.span
    for (const one of this.#headings.take(heading))
      this.#reading.wrong({ start, at: end + 1, issue: () => one, ...(one.code === 'HEADING_LEVEL' && { repair: 'lossy' }) })
    this.#judge('headings', start, end)
  }

  /** What is missing at the end. */
  *missing(): Generator<IssueDraft<MarkdownCode>> {
    const { tooFew } = markdownMessages[this.#reading.locale]
    yield* this.#headings.missing()
    for (const element of elements) {
      const { min = 0 } = boundsOf(this.#options, element)
      const observed = this.count(element)
      if (observed < min) yield issue('TOO_FEW_ELEMENTS', tooFew(element, min, observed), { path: [element] })
    }
  }

  /** Judges how many there are of an element with the one at a span. */
  #judge(element: Element, start: number, end: number): void {
    const { max = Number.POSITIVE_INFINITY } = boundsOf(this.#options, element)
    if (this.count(element) <= max || this.#exceeded.has(element)) return
    this.#exceeded.add(element)
    const { tooMany } = markdownMessages[this.#reading.locale]
    const known = this.count(element)
    const found = (_text: string, isWhole: boolean) => {
      const message = tooMany(element, max, isWhole ? this.count(element) : known)
      return issue('TOO_MANY_ELEMENTS', message, { path: [element], span: { start, end } })
    }
    this.#reading.wrong({ start, at: end + 1, issue: found })
  }
}
