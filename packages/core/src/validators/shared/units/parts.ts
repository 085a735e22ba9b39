import { isSpace } from '../../../answer/words.ts'
import type { UnitCounter } from './unit-counter.ts'

/** Counts the parts between separators that hold something visible. */
export class Parts implements UnitCounter {
  count = 0
  /** Number of the first part, from 1, that is empty although it has separators on both sides; where its second separator ends, in the pushed piece. */
  empty: { readonly part: number; readonly at: number } | undefined
  readonly #separator: string
  /** Text at the end that may be the start of a separator. */
  #tail = ''
  #separators = 0
  #blank = true

  constructor(separator: string) {
    this.#separator = separator
  }

  get pending(): number {
    return this.#tail.length
  }

  push(text: string, stop = Number.POSITIVE_INFINITY): number | undefined {
    const before = this.#tail.length
    const window = before === 0 ? text : this.#tail + text
    let from = 0
    for (;;) {
      const found = window.indexOf(this.#separator, from)
      const end = found < 0 ? window.length - this.#openEnd(window, from) : found
      const visible = this.#blank ? firstVisible(window, from, end) : -1
      if (visible >= 0) {
        this.#blank = false
        this.count++
        if (this.count >= stop) return this.#decidedAt(window, from, visible) - before
      }
      if (found < 0) {
        this.#tail = window.slice(end)
        return undefined
      }
      from = found + this.#separator.length
      this.#separate(from - before)
    }
  }

  end(): void {
    if (this.#blank && firstVisible(this.#tail, 0, this.#tail.length) >= 0) {
      this.count++
      this.#blank = false
    }
    this.#tail = ''
  }

  #separate(at: number): void {
    if (this.#blank && this.#separators > 0) this.empty ??= { part: this.#separators + 1, at }
    this.#separators++
    this.#blank = true
  }

  /** Where the character is that shows that `visible` is not in a separator, which may begin with white space before it: until there, it might be. */
  #decidedAt(text: string, from: number, visible: number): number {
    let at = visible
    while (this.#openEnd(text.slice(from, at + 1), 0) > at - visible) at++
    return at
  }

  /** How many characters at the end of the text are the start of a separator. */
  #openEnd(text: string, from: number): number {
    const longest = Math.min(this.#separator.length - 1, text.length - from)
    for (let length = longest; length > 0; length--) if (text.endsWith(this.#separator.slice(0, length))) return length
    return 0
  }
}

function firstVisible(text: string, from: number, end: number): number {
  for (let at = from; at < end; at++) if (!isSpace(text.charCodeAt(at))) return at
  return -1
}
