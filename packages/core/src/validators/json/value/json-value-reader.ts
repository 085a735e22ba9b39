import type { AnswerOutline } from '../../../answer/reader.ts'
import type { RepairClass } from '../../../contract/certificate.ts'
import type { ValueReader } from '../../../contract/validator.ts'
import type { JsonEdit } from '../../../repairs/json/repair-json.ts'
import { JsonScanner } from '../../../repairs/json/scanner.ts'
import { SchemaError } from '../../../schema/schema-error.ts'
import type { AcceptedKinds } from '../../shared/prose-values.ts'
import { GrowingValue, type ValueSource } from './growing-value.ts'
import type { ValueGuide } from './value-guide.ts'
import { ValueStartWatch } from './value-start-watch.ts'

/** How a value is read. */
interface ValueReading {
  /** The classes of change that may be made: from another one on, nothing is read. */
  readonly allow?: readonly RepairClass[]
  /** What the schema accepts. */
  readonly accepts?: AcceptedKinds | undefined
  /** With it the value is judged and not shown. */
  readonly onWrong?: ValueSource['onWrong']
}

/** Reads the JSON value of an answer while the answer grows. */
export class JsonValueReader implements ValueReader {
  readonly start: ValueStartWatch
  readonly #value: GrowingValue
  #scanner: JsonScanner | undefined
  readonly #allow: readonly RepairClass[] | undefined
  #isOver = false
  #edits = 0

  constructor(guide: ValueGuide | undefined, { allow, accepts, onWrong }: ValueReading = {}) {
    this.start = new ValueStartWatch(accepts)
    const source = { offset: () => this.#scanner?.offset ?? 0, onWrong: onWrong ?? (() => {}) }
    this.#value = new GrowingValue(guide, source, onWrong === undefined)
    this.#allow = allow
  }

  get version(): number {
    return this.#value.version
  }

  /** Why the text cannot be read as JSON, not even with repairs. */
  get refusal(): { readonly at: number; readonly reason: string } | undefined {
    return this.#scanner?.failure
  }

  /** The value as it was read, with nothing repaired by the schema. */
  get raw(): unknown {
    return this.#scanner?.value
  }

  /** The changes that make the text JSON. */
  get edits(): readonly JsonEdit[] {
    return this.#scanner?.edits ?? []
  }

  copy(): unknown {
    return this.#value.copy()
  }

  push(chunk: string, reader: AnswerOutline): void {
    if (this.#isOver) return
    const { start } = this
    if (this.#scanner) this.#scan(this.#scanner, chunk)
    else {
      start.push(chunk, reader)
      if (start.found === undefined) return
      this.#scanner = new JsonScanner({ start: start.found.at, listener: this.#value })
      this.#scan(this.#scanner, start.text)
    }
  }

  #scan(scanner: JsonScanner, text: string): void {
    this.#value.charge(text.length)
    try {
      scanner.push(text)
    } catch (error) {
      // What costs too much to judge on the way is judged at its end.
      if (!(error instanceof SchemaError)) throw error
      this.#isOver = true
    }
    // What needs a change that is not allowed is not shown.
    const { edits } = scanner
    const isAllowed = !this.#allow || edits.slice(this.#edits).every((edit) => this.#allow?.includes(edit.class))
    this.#edits = edits.length
    if (scanner.finished || !isAllowed) this.#isOver = true
  }
}
