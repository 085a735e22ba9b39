import { isSpace } from '../../../answer/words.ts'
import type { UnitCounter } from './unit-counter.ts'

/** Counts blocks of visible text with at least so many line breaks between them: lines that are not blank, or paragraphs. */
export class Lines implements UnitCounter {
  count = 0
  readonly #breaks: number
  /** Line breaks since the last visible character; as many as needed at the start of the text. */
  #seen: number
  #afterReturn = false

  constructor(kind: 'lines' | 'paragraphs') {
    this.#breaks = kind === 'lines' ? 1 : 2
    this.#seen = this.#breaks
  }

  push(text: string, stop = Number.POSITIVE_INFINITY): number | undefined {
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code === 13 || (code === 10 && !this.#afterReturn)) this.#seen++
      this.#afterReturn = code === 13
      if (isSpace(code)) continue
      if (this.#seen >= this.#breaks) {
        this.count++
        if (this.count >= stop) return at
      }
      this.#seen = 0
    }
    return undefined
  }
}
