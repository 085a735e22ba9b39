import type { AnswerOutline } from '../../answer/reader.ts'
import { positionAt } from '../../answer/span.ts'
import type { RepairClass } from '../../contract/certificate.ts'
import { type IssueDraft, issue } from '../../contract/issue.ts'
import type { Locale } from '../../contract/locale.ts'
import type { StreamFailure } from '../../contract/validator.ts'
import { wordsOf } from '../../schema/problem.ts'
import type { JsonCode } from './inspect.ts'
import { jsonMessages } from './messages.ts'
import { JsonValueReader } from './value/json-value-reader.ts'
import type { ValueGuide } from './value/value-guide.ts'
import type { ValueCheck } from './value-check.ts'

/** What the library of a schema rejects for certain when its JSON Schema does. */
const sure = new Set(['type', 'enum', 'const'])

/** Watches for the first place where the JSON of an answer is wrong for good: no continuation makes it right, and no repair that is allowed. */
export class DoomWatch {
  readonly #check: ValueCheck | undefined
  readonly #allow: readonly RepairClass[]
  readonly #locale: Locale
  readonly #reader: JsonValueReader
  #text = ''
  #mismatch: StreamFailure<JsonCode> | undefined

  constructor(check: ValueCheck | undefined, guide: ValueGuide | undefined, allow: readonly RepairClass[], locale: Locale) {
    this.#check = check
    this.#allow = allow
    this.#locale = locale
    this.#reader = new JsonValueReader(guide, { accepts: check?.accepts, onWrong: (path, at) => this.#note(path, at) })
  }

  /** Takes the next piece of text. */
  push(chunk: string, reader: AnswerOutline): StreamFailure<JsonCode> | undefined {
    this.#text += chunk
    this.#reader.push(chunk, reader)
    if (!this.#reader.start.found?.isCertain) return undefined
    if (this.#mismatch) return this.#mismatch
    const { refusal } = this.#reader
    return refusal && { at: refusal.at, final: true, issues: [this.#fault(refusal.reason, refusal.at)] }
  }

  #fault(reason: string, at: number): IssueDraft<JsonCode> {
    const { line, column } = positionAt(this.#text, at)
    const [message, hint] = jsonMessages[this.#locale].invalid(reason, line, column)
    return issue('INVALID_JSON', message, { hint, span: { start: at, end: at + 1 } })
  }

  /** At the moment it is found, so that it is the same for every chunking. */
  #note(path: readonly (string | number)[], at: number): void {
    const problems = this.#check?.json?.compiled.validate(this.#reader.raw) ?? []
    const here = problems.filter((problem) => path.every((key, index) => problem.path[index] === key))
    const certain = this.#check?.decides ? here : here.filter(({ keyword }) => sure.has(keyword))
    if (certain.length === 0) return
    const issues = certain.map((one) => issue('SCHEMA_MISMATCH' as const, wordsOf(one, this.#locale), { path: one.path }))
    const { edits } = this.#reader
    const [firstEdit] = edits
    if (firstEdit === undefined) {
      this.#mismatch = { at, final: true, issues }
      return
    }
    // The whole check validates the schema when the syntax is right; the model hears of the schema, and of syntax that no repair corrects.
    const fault = this.#fault(firstEdit.rule, firstEdit.start)
    const isRepaired = edits.every(({ class: kind }) => this.#allow.includes(kind))
    this.#mismatch = { at, final: true, issues: [fault], further: issues, ...(isRepaired && { repairable: true }) }
  }
}
