import type { AnswerReader } from '../../../answer/reader.ts'
import type { RepairClass } from '../../../contract/certificate.ts'
import type { ValueReader } from '../../../contract/validator.ts'
import { JsonScanner } from '../../../repairs/json/scanner.ts'
import { SchemaError } from '../../../schema/schema-error.ts'
import { GrowingValue } from './growing-value.ts'
import type { ValueGuide } from './value-guide.ts'
import { ValueStartWatch } from './value-start-watch.ts'

/** Reads the JSON value of an answer while the answer grows. */
export class JsonValueReader implements ValueReader {
  readonly value: GrowingValue
  readonly start = new ValueStartWatch()
  #scanner: JsonScanner | undefined
  readonly #allow: readonly RepairClass[]
  #isOver = false
  #edits = 0

  constructor(guide: ValueGuide | undefined, allow: readonly RepairClass[]) {
    this.value = new GrowingValue(guide)
    this.#allow = allow
  }

  get version(): number {
    return this.value.version
  }

  /** Why the text cannot be read as JSON, not even with repairs. */
  get refusal(): { readonly at: number; readonly reason: string } | undefined {
    return this.#scanner?.failure
  }

  copy(): unknown {
    return this.value.copy()
  }

  push(chunk: string, reader: AnswerReader): void {
    if (this.#isOver) return
    const { start } = this
    if (this.#scanner) this.#scan(this.#scanner, chunk)
    else {
      start.push(chunk, reader)
      if (start.found === undefined) return
      this.#scanner = new JsonScanner({ start: start.found.at, listener: this.value })
      this.#scan(this.#scanner, start.text)
    }
  }

  #scan(scanner: JsonScanner, text: string): void {
    this.value.charge(text.length)
    try {
      scanner.push(text)
    } catch (error) {
      // What costs too much to judge on the way is judged at its end.
      if (!(error instanceof SchemaError)) throw error
      this.#isOver = true
    }
    // What needs a change that is not allowed is not shown.
    const isAllowed = scanner.edits.slice(this.#edits).every((edit) => this.#allow.includes(edit.class))
    this.#edits = scanner.edits.length
    if (scanner.finished || !isAllowed) this.#isOver = true
  }
}
