import type { AnswerOutline } from '../../../answer/reader.ts'
import { positionAt } from '../../../answer/span.ts'
import type { Certificate, RepairClass } from '../../../contract/certificate.ts'
import type { IssueDraft } from '../../../contract/issue.ts'
import type { IncrementalCheck, Progress, StreamFailure } from '../../../contract/validator.ts'
import { budgetFor } from '../../../schema/step-budget.ts'
import type { JsonCode, JsonRules } from '../inspect.ts'
import { bareIssue, dropStray, proseIssue, type Stray } from './inspect-lines.ts'
import { type LineItem, LineItems } from './line-items.ts'
import { fixLine, judgeLine, type LineVerdict } from './line-verdict.ts'

/** Cuts the body of a stream into items. */
export class LineFeed {
  #items: LineItem[] = []
  #taken = 0
  #lines: LineItems | undefined
  #bodyStart = -1
  #length = 0

  /** Takes the next piece of text, which the reader has seen. */
  push(chunk: string, reader: AnswerOutline): void {
    const at = this.#length
    this.#length += chunk.length
    if (reader.inReasoning) return
    const { bodyStart } = reader
    if (bodyStart > this.#bodyStart) {
      this.#items = []
      this.#taken = 0
      this.#bodyStart = bodyStart
      this.#lines = new LineItems((item) => this.#items.push(item), bodyStart, positionAt(reader.text, bodyStart).line)
    }
    this.#lines?.push(chunk.slice(Math.max(0, bodyStart - at)))
  }

  /** The next item that is complete. */
  next(): LineItem | undefined {
    const item = this.#items[this.#taken++]
    if (item !== undefined) return item
    this.#items = []
    this.#taken = 0
    return undefined
  }
}

/** How the lines of a stream are judged. */
export interface LineStreamRules extends JsonRules {
  /** The classes of repair that may be made now. */
  readonly allow: readonly RepairClass[]
  /** Whether the changes are made on the way; what they do not make right is passed on as it is. */
  readonly edits: boolean
}

/** Releases each line of an answer as soon as it is judged. */
export class LineStream implements IncrementalCheck<JsonCode> {
  readonly #rules: LineStreamRules
  /** That of the text so far: what a stream may cost never exceeds what the whole answer may. */
  readonly #budget = budgetFor(0)
  readonly #feed = new LineFeed()
  #safe = 0
  #count = 0
  #bodyStart = 0
  /** What is no value, after the last one, or before the first where only values are wanted. */
  #stray: Stray | undefined
  /** Its text and empty lines in it, for the change that takes it out. */
  #text = ''
  #textFrom = 0
  #failure: StreamFailure<JsonCode> | undefined

  constructor(rules: LineStreamRules) {
    this.#rules = { ...rules, budget: this.#budget }
  }

  push(chunk: string, reader: AnswerOutline): Progress<JsonCode> {
    if (this.#failure) return { safe: this.#safe, failure: this.#failure }
    if (this.#rules.edits) this.#text += chunk
    this.#budget.grow(chunk.length)
    this.#feed.push(chunk, reader)
    this.#bodyStart = reader.bodyStart
    const progress = this.#advance()
    if (this.#rules.edits) {
      this.#text = this.#text.slice(this.#safe - this.#textFrom)
      this.#textFrom = this.#safe
    }
    return progress
  }

  #advance(): Progress<JsonCode> {
    const edits: Certificate[] = []
    for (let item = this.#feed.next(); item; item = this.#feed.next()) {
      if (item.kind !== 'value') this.#takeStray(item)
      else {
        const verdict = this.#takeValue(item, edits)
        if (verdict instanceof Promise && this.#rules.edits) {
          // The check that waits for it judges the line as it is.
          verdict.catch(() => {})
          this.#safe = item.next
        } else if (verdict instanceof Promise) return { safe: this.#safe, pending: verdict.then((known) => this.#settle(item, known)) }
        else if (verdict !== undefined) this.#judge(item, verdict, edits)
      }
      if (this.#failure) return { safe: this.#safe, failure: this.#failure }
    }
    return edits.length > 0 ? { safe: this.#safe, edits } : { safe: this.#safe }
  }

  #takeStray({ kind, from, next, line }: LineItem): void {
    const { bare, edits } = this.#rules
    const isFirst = this.#count === 0
    const isHeld = isFirst ? bare : kind === 'prose' || bare
    if (kind !== 'blank' && (this.#stray || isHeld)) {
      const start = isFirst ? this.#bodyStart : from
      this.#stray = {
        from: start,
        line,
        isInside: !isFirst,
        ...this.#stray,
        next,
        hasProse: kind === 'prose' || this.#stray?.hasProse === true,
      }
    }
    // What follows the last value is judged with the end.
    if (this.#stray === undefined && !(bare && isFirst)) this.#safe = next
    if (bare && !edits && kind !== 'blank')
      this.#fail(next, bareIssue(from, 0, next, this.#rules.locale), this.#rules.allow.includes('lossless'))
  }

  /** Judges a value, unless what is before it fails; undefined when that is so. */
  #takeValue(item: LineItem, edits: Certificate[]): LineVerdict | Promise<LineVerdict> | undefined {
    const { bare, allow, locale } = this.#rules
    const stray = this.#stray && { ...this.#stray, next: item.from }
    this.#stray = undefined
    if (bare && this.#count === 0 && this.#bodyStart > 0) this.#drop(0, this.#bodyStart, 'drop-reasoning', item, edits)
    if (stray) {
      const change = dropStray(stray, this.#slice(stray.from, stray.next))
      const isProse = change.class === 'lossy'
      const isFixed = allow.includes(change.class)
      if (this.#rules.edits && (bare || isProse) && isFixed) edits.push(change)
      else if (!this.#rules.edits && isProse) this.#fail(item.known, proseIssue(stray, locale), isFixed)
    }
    if (this.#failure) return undefined
    return judgeLine(item, this.#lineRules(this.#count++))
  }

  #drop(start: number, end: number, rule: string, item: LineItem, edits: Certificate[]): void {
    const isFixed = this.#rules.allow.includes('lossless')
    if (!this.#rules.edits) this.#fail(item.known, bareIssue(end, 0, end, this.#rules.locale), isFixed)
    else if (isFixed) edits.push({ rule, class: 'lossless', span: { start, end }, before: this.#slice(start, end), after: '' })
  }

  #judge(item: LineItem, { issues, isWrong }: LineVerdict, edits: Certificate[]): void {
    const { allow } = this.#rules
    const fixes = isWrong ? fixLine(item, this.#lineRules(this.#count - 1), allow) : undefined
    if (isWrong && !this.#rules.edits) this.#fail(item.known, issues, fixes !== undefined)
    else {
      for (const change of fixes?.changes ?? []) edits.push(change)
      this.#safe = item.next
    }
  }

  /** Goes on after a verdict that took its time; no change is made after one. */
  #settle(item: LineItem, verdict: LineVerdict): Progress<JsonCode> {
    this.#judge(item, verdict, [])
    return this.#failure ? { safe: this.#safe, failure: this.#failure } : this.#advance()
  }

  #fail(at: number, found: IssueDraft<JsonCode> | readonly IssueDraft<JsonCode>[], isFixed: boolean): void {
    const issues = [found].flat().filter(({ severity }) => severity !== 'warning')
    this.#failure ??= { at, issues, ...(!isFixed && { final: true }) }
  }

  #lineRules(index: number): Parameters<typeof judgeLine>[1] {
    return { ...this.#rules, index, finishReason: undefined }
  }

  #slice(start: number, end: number): string {
    return this.#text.slice(start - this.#textFrom, end - this.#textFrom)
  }
}
