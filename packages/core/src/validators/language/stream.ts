import type { AnswerReader } from '../../answer/reader.ts'
import type { IssueDraft } from '../../contract/issue.ts'
import type { IncrementalCheck, Progress } from '../../contract/validator.ts'
import { DecidedLines } from '../shared/decided-lines.ts'
import type { Detector } from './detector.ts'
import { proseOf } from './prose.ts'
import { LanguageTally } from './tally.ts'

type Code = 'WRONG_LANGUAGE'

/** What a stream needs to judge a language. */
export interface LanguageSetting {
  readonly allowed: readonly string[]
  /** The detector, once it is loaded. */
  detector(): Detector | undefined
  load(): Promise<Detector>
  tell(observed: string): IssueDraft<Code>
}

/** Holds the text until it is known to be in the right language; fails when the start is in another one. */
export class LanguageStream implements IncrementalCheck<Code> {
  readonly #setting: LanguageSetting
  readonly #lines = new DecidedLines()
  #tally: LanguageTally | undefined
  #length = 0
  #safe = 0
  #failed: Progress<Code> | undefined

  constructor(setting: LanguageSetting) {
    this.#setting = setting
  }

  push(chunk: string, reader: AnswerReader): Progress<Code> {
    this.#length += chunk.length
    const detector = this.#setting.detector()
    if (detector) return this.#judge(detector, chunk, reader)
    return { safe: this.#safe, pending: this.#setting.load().then((loaded) => this.#judge(loaded, chunk, reader)) }
  }

  #judge(detector: Detector, chunk: string, reader: AnswerReader): Progress<Code> {
    if (this.#failed) return this.#failed
    this.#tally ??= new LanguageTally(detector, this.#setting.allowed)
    for (const line of this.#lines.push(chunk, reader)) {
      this.#tally.take(proseOf(line, reader))
      if (this.#tally.failed) {
        const issues = [this.#setting.tell(this.#tally.observed ?? '')]
        this.#failed = { safe: this.#safe, failure: { at: line.start + line.text.length + 1, issues } }
        return this.#failed
      }
    }
    if (this.#tally.settled) return { safe: Number.POSITIVE_INFINITY }
    if (this.#tally.trusted) this.#safe = this.#length
    return { safe: this.#safe }
  }
}
