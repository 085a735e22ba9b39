import { type Doubtful, doubtful, type StepBudget } from './scan-result.ts'

/** Deeper parentheses end the address for some renderers. */
const deepest = 31

/** Where `(address "title")` ends; undefined for anything else. */
export function endOfLinkTail(text: string, at: number, budget: StepBudget): number | Doubtful | undefined {
  const reader = new TailReader(text, at + 1)
  const isTail = reader.read()
  if (!budget.spend(reader.farthest - at)) return doubtful
  return isTail ? reader.at : undefined
}

class TailReader {
  readonly #text: string
  at: number
  /** After the last character that was looked at. */
  farthest: number

  constructor(text: string, at: number) {
    this.#text = text
    this.at = at
    this.farthest = at
  }

  read(): boolean {
    this.#skipSpace()
    if (!this.#readAddress()) return false
    const behind = this.at
    this.#skipSpace()
    if (this.at > behind || isWhite(this.#text.charCodeAt(this.at - 1))) {
      this.#readTitle()
      this.#skipSpace()
    }
    if (this.#text[this.at] !== ')') return false
    this.at++
    return true
  }

  /** Skips spaces with at most one line break. */
  #skipSpace(): void {
    let breaks = 0
    for (; ; this.at++) {
      const code = this.#text.charCodeAt(this.at)
      if (code === 10) {
        if (breaks++ > 0) return
      } else if (code !== 32 && code !== 9) return
    }
  }

  #readAddress(): boolean {
    return this.#text[this.at] === '<' ? this.#readPointed() : this.#readBare()
  }

  #readPointed(): boolean {
    let at = this.at + 1
    for (; at < this.#text.length; at++) {
      const char = this.#text[at]
      if (char === '>') {
        this.at = at + 1
        return true
      }
      if (char === '\\' && this.#text[at + 1] !== '\n') at++
      else if (char === '<' || char === '\n' || char === '\\') break
    }
    this.farthest = at
    return false
  }

  #readBare(): boolean {
    let depth = 0
    let at = this.at
    for (; at < this.#text.length; at++) {
      const code = this.#text.charCodeAt(at)
      if (isWhite(code)) break
      if (code === 92 && isPunctuation(this.#text.charCodeAt(at + 1))) at++
      else if (code === 40) depth++
      else if (code === 41 && depth-- === 0) break
      if (depth > deepest) break
    }
    this.farthest = at
    const isEmpty = at === this.at && this.#text[at] !== ')'
    this.at = at
    return !isEmpty && depth <= 0
  }

  #readTitle(): void {
    const closer = { '"': '"', "'": "'", '(': ')' }[this.#text[this.at] ?? '']
    if (closer === undefined) return
    let at = this.at + 1
    for (; at < this.#text.length; at++) {
      const char = this.#text[at]
      if (char === '\\') at++
      else if (char === closer) {
        this.at = at + 1
        return
      } else if (char === '(' && closer === ')') break
    }
    this.farthest = at
  }
}

function isWhite(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13)
}

/** What a backslash keeps from having a meaning: ASCII punctuation. */
export function isPunctuation(code: number): boolean {
  return (code >= 33 && code <= 47) || (code >= 58 && code <= 64) || (code >= 91 && code <= 96) || (code >= 123 && code <= 126)
}
