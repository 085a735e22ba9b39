import { escapeLength, numberAt, skipSpace } from './scan.ts'

/** What a text is that JSON.parse refuses: wrong somewhere, or cut off where only closing brackets are missing, or inside of a value. */
export type JsonEnd = 'none' | 'closers' | 'inside' | 'wrong'

/** How a text ends as JSON, and where it is wrong; linear, and without recursion. */
export function scanJson(text: string): { readonly at: number; readonly end: JsonEnd } {
  const scanner = new JsonScanner(text)
  const end = scanner.scan()
  return { at: end === 'wrong' ? scanner.at : text.length, end }
}

/** Whether JSON may begin with a text: with it, or with a text that goes on from it. */
export function mayBeJson(text: string): boolean {
  const { at, end } = scanJson(text)
  // What is last may be the start of a number or an escape.
  return end !== 'wrong' || at + longestToken > text.length
}

/** Longer than what is left open at the end of a text. */
const longestToken = 8

const startOfNumber = /^-?(?:\d+(?:\.\d*)?(?:[eE][+-]?)?)?$/
const literals = ['true', 'false', 'null']
/** Longer than any number that is worth a closer look. */
const longestTail = 400

type Step = 'ok' | 'wrong' | 'inside'

class JsonScanner {
  at = 0
  readonly #text: string
  readonly #closers: string[] = []
  #expected: 'value' | 'item' | 'key' | 'first-key' | 'more' = 'value'

  constructor(text: string) {
    this.#text = text
  }

  scan(): JsonEnd {
    for (this.#skipSpace(); this.at < this.#text.length; this.#skipSpace()) {
      const step = this.#step(this.#text[this.at] as string)
      if (step !== 'ok') return step
    }
    if (this.#closers.length === 0) return 'none'
    // A number at the very end may have been cut too: it is reported like missing brackets, and never closed.
    return this.#expected === 'more' ? 'closers' : 'inside'
  }

  #step(char: string): Step {
    const closer = this.#closers.at(-1)
    if (char === closer && this.#expected !== 'value' && this.#expected !== 'key') return this.#close()
    if (this.#expected === 'more') {
      if (char !== ',' || closer === undefined) return 'wrong'
      this.at++
      this.#expected = closer === '}' ? 'key' : 'value'
      return 'ok'
    }
    if (this.#expected === 'key' || this.#expected === 'first-key') return char === '"' ? this.#key() : 'wrong'
    if (char === '{' || char === '[') return this.#open(char)
    this.#expected = 'more'
    return char === '"' ? this.#string() : this.#word()
  }

  #open(char: string): Step {
    this.at++
    this.#closers.push(char === '{' ? '}' : ']')
    this.#expected = char === '{' ? 'first-key' : 'item'
    return 'ok'
  }

  #close(): Step {
    this.at++
    this.#closers.pop()
    this.#expected = 'more'
    return 'ok'
  }

  #key(): Step {
    const step = this.#string()
    if (step !== 'ok') return step
    this.#skipSpace()
    if (this.at >= this.#text.length) return 'inside'
    if (this.#text[this.at] !== ':') return 'wrong'
    this.at++
    this.#expected = 'value'
    return 'ok'
  }

  /** A loop, because a pattern would keep a way back for every escape in a text of megabytes. */
  #string(): Step {
    const text = this.#text
    for (this.at++; this.at < text.length; this.at++) {
      const char = text[this.at] as string
      if (char === '"') {
        this.at++
        return 'ok'
      }
      if (char < ' ') return 'wrong'
      if (char !== '\\') continue
      const length = escapeLength(text, this.at)
      if (length <= 0) return length < 0 ? 'inside' : 'wrong'
      this.at += length - 1
    }
    return 'inside'
  }

  #word(): Step {
    const text = this.#text
    const tail = text.length - this.at > longestTail ? undefined : text.slice(this.at)
    const literal = literals.find((one) => text.startsWith(one, this.at))
    numberAt.lastIndex = this.at
    const end = this.at + (literal ?? numberAt.exec(text)?.[0] ?? '').length
    if (tail !== undefined && end < text.length && (startOfNumber.test(tail) || literals.some((one) => one.startsWith(tail))))
      return 'inside'
    if (end === this.at) return 'wrong'
    this.at = end
    return 'ok'
  }

  #skipSpace(): void {
    this.at = skipSpace(this.#text, this.at)
  }
}
