import { Answer } from '../../answer/answer.ts'
import { InlineHtml } from '../../answer/inline/inline-html.ts'
import { type Passage, passagesOf } from '../../answer/inline/passages.ts'
import { StepBudget } from '../../answer/inline/scan-result.ts'
import { readTag } from '../../answer/inline/tag.ts'
import { positionAt, type TextSpan } from '../../answer/span.ts'
import { issue } from '../../contract/issue.ts'
import type { Machine, Reading } from '../../contract/machine/machine.ts'
import { HeldPassages } from '../shared/held-passages.ts'
import { matchesFrom } from '../shared/rewritten-text.ts'
import { faultOfTag, type HtmlFault, type HtmlRule, isActiveText, isKnownActive } from './html-tag.ts'
import { markdownMessages } from './messages.ts'

/** HTML that is not allowed, and where it is. */
interface FoundHtml {
  readonly span: TextSpan
  readonly fault: HtmlFault
}

/** Where HTML may begin. */
const htmlStart = /<(?=[a-z/!?])/gi
const sign = /<[a-z/!?]/i

const beginnings = {
  sign,
  pattern: sign,
  rest: (text: string) => (text.endsWith('<') ? '<' : ''),
  restBehind: (end: string, piece: string) => (end === '' && !piece.includes('<') ? '' : undefined),
}

/** Active HTML in the reasoning at the start of a text, which a client may show: it is read as Markdown of which the reasoning is a part. */
function* htmlInReasoning(reasoning: string): Generator<FoundHtml> {
  // A tag that nobody knows, so that reasoning is not passed over.
  const text = reasoning.replace(/^\s*<\w+>/, (tag) => tag.replace(/\w/g, 'x'))
  // Its other tags are often types and templates that it thinks about.
  for (const passage of passagesOf(new Answer(text), sign))
    for (const found of htmlInPassage(passage, 'inert')) if (isKnownActive(text, found.span.start)) yield found
}

function* htmlInPassage({ text, isInline, place }: Passage, rule: HtmlRule): Generator<FoundHtml> {
  const budget = new StepBudget(text.length)
  const html = new InlineHtml(text, budget)
  for (const { index: at } of matchesFrom(htmlStart, text, 0)) {
    let tag = text.slice(at)
    if (isInline) {
      if (isEscaped(text, at)) continue
      const end = html.endAt(at)
      if (end === undefined && !isActiveText(text, at)) continue
      if (typeof end === 'number') tag = text.slice(at, end)
      if (end !== undefined && isAutolink(tag)) continue
    }
    const declared = /^<(?:!--|[!?][a-z]*)/i.exec(tag)?.[0]
    if (declared === '<!--' && rule === 'inert') continue
    const read = declared === undefined ? readTag(tag, 0) : undefined
    const fault = read && faultOfTag(tag, read)
    // Tags in tags, so many that reading on would take more than linear time: no answer needs that.
    const isSpent = read !== undefined && !budget.spend(read.end)
    if (read && fault === undefined && rule === 'inert' && !isSpent) continue
    const end = at + (read?.end ?? declared?.length ?? 0)
    yield { span: { start: place(at), end: place(end) }, fault: fault ?? { kind: 'element' } }
    if (isSpent) return
  }
}

function isEscaped(text: string, at: number): boolean {
  let before = at
  while (text[before - 1] === '\\') before--
  return (at - before) % 2 === 1
}

/** An address in angle brackets, of those that CommonMark reads as HTML or as a link. */
function isAutolink(text: string): boolean {
  return /^<[a-z][a-z0-9.+-]{1,31}:[^\s<>]*>$/i.test(text) || (text.includes('@') && /^<[^\s<>/"'=]+>$/.test(text))
}

/** Reports the HTML that is not allowed, and holds a stream from where some may begin to the end of its passage. */
export class HtmlWatch implements Machine {
  readonly #reading: Reading<'HTML_NOT_ALLOWED'>
  readonly #rule: HtmlRule
  readonly #held: HeldPassages
  #isReasoned = false

  constructor(rule: HtmlRule, reading: Reading<'HTML_NOT_ALLOWED'>) {
    this.#rule = rule
    this.#reading = reading
    this.#held = new HeldPassages(reading, beginnings, (passage) => {
      if (passage.start >= reading.outline.bodyStart) for (const found of htmlInPassage(passage, rule)) this.#report(found)
    })
  }

  get safe(): number {
    return this.#held.safe
  }

  get reach(): number {
    return this.#held.reach
  }

  read(piece: string, at: number, isEnd: boolean): void {
    const { bodyStart, inReasoning } = this.#reading.outline
    if (bodyStart > 0 && !this.#isReasoned && (isEnd || !inReasoning)) {
      this.#isReasoned = true
      for (const found of htmlInReasoning(this.#reading.slice({ start: 0, end: bodyStart }))) this.#report(found)
    }
    this.#held.read(piece, at, isEnd)
  }

  #report({ span, fault }: FoundHtml): void {
    const { html, htmlHint } = markdownMessages[this.#reading.locale]
    // A tag with an attribute that is not allowed is meant as HTML.
    const hint = this.#rule === 'inert' && 'attribute' in fault ? {} : { hint: htmlHint }
    const found = (text: string) =>
      issue('HTML_NOT_ALLOWED', html(this.#rule, fault, positionAt(text, span.start).line), { ...hint, span, path: ['html'] })
    this.#reading.wrong({ start: span.start, at: span.end, issue: found, rank: 1 })
  }
}
