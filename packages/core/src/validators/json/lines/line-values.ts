import type { AnswerOutline } from '../../../answer/reader.ts'
import type { ValueReader } from '../../../contract/validator.ts'
import { parseJson } from '../../../json/parse-json.ts'
import { budgetFor } from '../../../schema/step-budget.ts'
import { type LineItem, readLineItems } from './line-items.ts'
import { LineFeed, type LineStreamRules } from './line-stream.ts'
import { fixLine, judgeLine } from './line-verdict.ts'

/** Entries that may be copied for each character that was read: copies cost no more than reading, so that time stays linear. */
const copiesPerCharacter = 16

/** Reads the values of complete lines while an answer grows, up to the first that no repair makes right. */
export class LineValues implements ValueReader {
  version = 0
  readonly #rules: Omit<LineStreamRules, 'edits'>
  readonly #feed = new LineFeed()
  readonly #values: unknown[] = []
  #isOver = false
  #read = 0
  #copied = 0

  constructor(rules: Omit<LineStreamRules, 'edits'>) {
    this.#rules = { ...rules, budget: budgetFor(Number.POSITIVE_INFINITY) }
  }

  push(chunk: string, reader: AnswerOutline): void {
    if (this.#isOver) return
    this.#read += chunk.length
    this.#feed.push(chunk, reader)
    try {
      for (let item = this.#feed.next(); item && !this.#isOver; item = this.#feed.next()) if (item.kind === 'value') this.#take(item)
    } catch {
      // What is too complex to judge on the way is judged at its end.
      this.#isOver = true
    }
  }

  copy(): unknown {
    if (this.#values.length === 0 || this.#copied + this.#values.length > copiesPerCharacter * this.#read + 1024) return undefined
    this.#copied += this.#values.length
    return [...this.#values]
  }

  #take(item: LineItem): void {
    const rules = { ...this.#rules, index: this.#values.length, finishReason: undefined }
    const verdict = judgeLine(item, rules)
    if (verdict instanceof Promise) {
      // What a library makes of it late is in the last value.
      verdict.catch(() => {})
      this.#add(parseJson(item.text))
    } else if (!verdict.isWrong) this.#add(verdict.value)
    else {
      const fixed = fixLine(item, rules, this.#rules.allow)
      if (fixed === undefined) this.#isOver = true
      for (const one of fixed ? readLineItems(fixed.text, 0, 1) : []) this.#take(one)
    }
  }

  #add(value: unknown): void {
    this.#values.push(value)
    this.version++
  }
}
