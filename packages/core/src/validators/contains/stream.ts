import { ReasoningSkipper } from '../../answer/reasoning.ts'
import type { TextSpan } from '../../answer/span.ts'
import type { IssueDraft } from '../../contract/issue.ts'
import type { Locale } from '../../contract/locale.ts'
import type { IncrementalCheck, Progress } from '../../contract/validator.ts'
import { type SoughtTexts, TextCounter } from './text-counter.ts'

type Code = 'TEXT_FORBIDDEN' | 'TEXT_COUNT'

/** A text that may occur only so often. */
export interface Limit {
  readonly text: string
  readonly max: number
  /** What is wrong when it occurs more often; the span is where it was found first. */
  issue(count: number, locale: Locale, span: TextSpan | undefined): IssueDraft<Code>
}

/** Safe up to what may be the start of a text that must not follow; fails with the character after it. */
export class LimitedTexts implements IncrementalCheck<Code> {
  readonly #limits: readonly Limit[]
  readonly #locale: Locale
  readonly #counter: TextCounter
  readonly #reasoning = new ReasoningSkipper()
  #length = 0
  #failed: Progress<Code> | undefined

  constructor(sought: SoughtTexts, limits: readonly Limit[], locale: Locale) {
    this.#limits = limits
    this.#locale = locale
    this.#counter = new TextCounter(sought)
  }

  push(chunk: string): Progress<Code> {
    if (this.#failed) return this.#failed
    this.#length += chunk.length
    const body = this.#reasoning.push(chunk)
    this.#counter.skipTo(this.#length - body.length)
    this.#counter.push(body, (index, at, start) => {
      const { max, issue } = this.#limits[index] as Limit
      const count = this.#counter.counts[index] as number
      if (count > max) this.#failed = { safe: start, failure: { at, issues: [issue(count, this.#locale, this.#counter.first[index])] } }
      return count > max
    })
    return this.#failed ?? { safe: Math.min(this.#counter.open, this.#length) }
  }
}
