import type { Answer } from '../../answer/answer.ts'
import { LineSplitter } from '../../answer/lines.ts'
import type { AnswerReader } from '../../answer/reader.ts'
import { breaksIn, positionAt } from '../../answer/span.ts'
import type { Certificate } from '../../contract/certificate.ts'
import { type IssueDraft, issue } from '../../contract/issue.ts'
import type { Locale } from '../../contract/locale.ts'
import { defineValidator, type IncrementalCheck, type Progress } from '../../contract/validator.ts'
import { DecidedLines } from '../shared/decided-lines.ts'
import { releaseAll } from '../shared/release-all.ts'
import { rightLevel } from './heading-watch.ts'
import { type FoundHtml, type HtmlRule, HtmlStream, htmlIn } from './html.ts'
import { markdownMessages } from './messages.ts'
import { boundsOf, elements, type MarkdownOptions, markdownOptions } from './options.ts'
import { type Fault, type MarkdownCode, MarkdownScan, mostIssues } from './scan.ts'

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
class MarkdownStream implements IncrementalCheck<MarkdownCode> {
  readonly #options: MarkdownOptions
  readonly #repairs: boolean
  readonly #marks: string
  readonly #locale: Locale
  readonly #scan: MarkdownScan
  readonly #lines = new DecidedLines()
  readonly #html: HtmlStream | undefined
  #length = 0
  /** Only looked at when HTML is found, to say where. */
  #text = ''
  /** Up to where the text is safe until the line ends that is being read; undefined when that is not known. */
  #flow: number | undefined
  #linesRead = 0
  /** What has come of that line since. */
  #unread = ''
  /** The same object every time: there may be one for every few characters. */
  readonly #progress = { safe: 0 }
  #failed: Progress<MarkdownCode> | undefined

  constructor(options: MarkdownOptions, repairs: boolean, locale: Locale) {
    this.#options = options
    this.#repairs = repairs
    const isNumbered = options.numberedItems?.max !== undefined || options.numberedLists?.max !== undefined
    this.#marks = `${marks}${options.headings?.bold ? '_' : ''}${isNumbered ? '0123456789' : ''}`
    this.#scan = new MarkdownScan(options, locale)
    this.#html = options.html && new HtmlStream(options.html)
    this.#locale = locale
  }

  push(chunk: string, reader: AnswerReader): Progress<MarkdownCode> {
    this.#length += chunk.length
    if (this.#html) this.#text += chunk
    if (this.#failed) return this.#failed
    this.#unread += chunk
    if (this.#flow !== undefined && reader.linesRead === this.#linesRead) {
      this.#progress.safe = this.#flow < this.#length ? this.#flow : this.#length
      return this.#progress
    }
    this.#linesRead = reader.linesRead
    const faults = this.#judge(this.#unread, reader)
    this.#unread = ''
    if (faults.length === 0) {
      const safe = this.#safe(reader)
      if (this.#html) return { safe: Math.min(safe, this.#html.safe) }
      this.#flow = reader.lineHead === '' ? undefined : safe === this.#length ? Number.POSITIVE_INFINITY : safe
      return { safe }
    }
    const at = faults.reduce((first, one) => Math.min(first, one.at), Number.POSITIVE_INFINITY)
    const issues = faults.filter((one) => one.at === at).map((one) => one.issue)
    // Only levels are repaired.
    const isFinal = !this.#repairs || issues.some(({ code }) => code !== 'HEADING_LEVEL')
    const safe = issues.reduce((first, { span }) => Math.min(first, span?.start ?? at), this.#html?.safe ?? Number.POSITIVE_INFINITY)
    this.#failed = { safe, failure: { at, issues, ...(isFinal ? { final: true as const } : {}) } }
    return this.#failed
  }

  #judge(text: string, reader: AnswerReader): readonly Fault[] {
    const { faults } = this.#scan
    for (const { text: line, start } of this.#lines.push(text, reader)) this.#scan.takeLine(line, start, reader)
    this.#scan.takeOutline(reader)
    const html = this.#html?.push(text, this.#text, reader)
    if (html && this.#options.html) {
      const { line } = positionAt(this.#text, html.span.start)
      faults.push({ at: html.span.end, issue: htmlIssue(html, this.#options.html, line, this.#locale) })
    }
    return faults
  }

  #safe(reader: AnswerReader): number {
    const { codeBlocks, highlights } = this.#options
    const open = reader.openFence?.start
    // One block more would be too many.
    if (open !== undefined && this.#scan.count('codeBlocks') >= (codeBlocks?.max ?? Number.POSITIVE_INFINITY)) return open
    const { first, lineStart } = this.#lines
    const undecided = this.#scan.undecided ?? Number.POSITIVE_INFINITY
    if (first !== undefined) return Math.min(first.start, reader.decided, undecided)
    const head = reader.lineHead
    const flows = head !== '' && !this.#marks.includes(head) && highlights?.max === undefined
    return Math.min(undecided, flows || open !== undefined ? this.#length : Math.max(lineStart, reader.bodyStart))
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
  prepare: (options) => ({
    *check(answer, { locale }) {
      const scan = new MarkdownScan(options, locale)
      const lines = new LineSplitter((text, start) => scan.takeLine(text, start, answer), answer.bodyStart)
      lines.push(answer.text.slice(answer.bodyStart))
      lines.end()
      scan.end(answer)
      scan.takeOutline(answer)
      for (const fault of scan.faults) yield withTotal(fault.issue, scan)
      if (options.html) yield* htmlIssues(answer, options.html, locale)
      // What is missing may follow once the tools have answered.
      if (!answer.isBetween) yield* scan.missing()
    },
    incremental: ({ locale }, told) =>
      canFailEarly(options) ? new MarkdownStream(options, told?.allow.includes('lossy') ?? false, locale) : releaseAll(),
    repair: (answer) => repairLevels(answer, options.headings),
  }),
})

/** What is wrong with the HTML of an answer. */
function* htmlIssues(answer: Answer, rule: HtmlRule, locale: Locale): Generator<IssueDraft<MarkdownCode>> {
  let line = 1
  let at = 0
  let count = 0
  for (const found of htmlIn(answer, rule)) {
    line += breaksIn(answer.text, at, found.span.start)
    at = found.span.start
    yield htmlIssue(found, rule, line, locale)
    if (++count === mostIssues) return
  }
}

function htmlIssue({ span, fault }: FoundHtml, rule: HtmlRule, line: number, locale: Locale): IssueDraft<MarkdownCode> {
  const { html, htmlHint } = markdownMessages[locale]
  // A tag with an attribute that is not allowed is meant as HTML.
  const hint = rule === 'inert' && 'attribute' in fault ? {} : { hint: htmlHint }
  return issue('HTML_NOT_ALLOWED', html(rule, fault, line), { ...hint, span, path: ['html'] })
}

/** The whole answer is known, so the message gives the total. */
function withTotal(found: IssueDraft<MarkdownCode>, scan: MarkdownScan): IssueDraft<MarkdownCode> {
  const [element] = found.path ?? []
  if (found.code !== 'TOO_MANY_ELEMENTS' || found.span === undefined) return found
  return { ...scan.tooMany(element as Parameters<MarkdownScan['tooMany']>[0]), span: found.span }
}

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
