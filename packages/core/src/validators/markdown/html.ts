import { Answer } from '../../answer/answer.ts'
import { InlineHtml } from '../../answer/inline/inline-html.ts'
import { type Passage, passagesOf } from '../../answer/inline/passages.ts'
import { StepBudget } from '../../answer/inline/scan-result.ts'
import { readTag } from '../../answer/inline/tag.ts'
import type { AnswerReader } from '../../answer/reader.ts'
import type { TextSpan } from '../../answer/span.ts'
import { HeldPassages } from '../shared/held-passages.ts'
import { matchesFrom } from '../shared/rewritten-text.ts'
import { faultOfTag, type HtmlFault, isActiveText, isKnownActive } from './html-tag.ts'

/** What HTML is allowed: none, or none that is active. */
export type HtmlRule = 'none' | 'inert'

/** HTML that is not allowed, and where it is. */
export interface FoundHtml {
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

/** The HTML of an answer that is not allowed. */
export function* htmlIn(answer: Answer, rule: HtmlRule): Generator<FoundHtml> {
  yield* htmlInReasoning(answer.reasoning)
  for (const passage of passagesOf(answer, sign)) if (passage.start >= answer.bodyStart) yield* htmlInPassage(passage, rule)
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
  const html = new InlineHtml(text, new StepBudget(text.length))
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
    if (read && fault === undefined && rule === 'inert') continue
    const end = at + (read?.end ?? declared?.length ?? 0)
    yield { span: { start: place(at), end: place(end) }, fault: fault ?? { kind: 'element' } }
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

/** Holds a stream from where HTML may begin to the end of its passage. */
export class HtmlStream {
  readonly #held = new HeldPassages(beginnings)
  readonly #rule: HtmlRule
  #isReasoned = false

  constructor(rule: HtmlRule) {
    this.#rule = rule
  }

  /** Everything before this offset is judged. */
  get safe(): number {
    return this.#held.safe
  }

  /** Takes the next chunk, with which a text ends; returns the first HTML that is not allowed. */
  push(chunk: string, text: string, reader: AnswerReader): FoundHtml | undefined {
    const passages = this.#held.push(chunk, reader)
    const { bodyStart, inReasoning } = reader
    if (bodyStart > 0 && !inReasoning && !this.#isReasoned) {
      this.#isReasoned = true
      const [found] = htmlInReasoning(text.slice(0, bodyStart))
      if (found) return found
    }
    for (const passage of passages) {
      const [found] = passage.start >= bodyStart ? htmlInPassage(passage, this.#rule) : []
      if (found) return found
    }
    return undefined
  }
}
