import { repairJson } from '../../repairs/json/repair-json.ts'

/** Why a text is not JSON. */
export interface JsonFault {
  /** Offset of the first character that JSON does not allow; the length of the text when it ends too early. */
  readonly at: number
  /** `inside`: the text ends inside a value; `closers`: only closing brackets are missing at the end; `none`: it does not end early. */
  readonly cut: 'none' | 'closers' | 'inside'
}

/** Finds out where and why a text that JSON.parse refuses is wrong; linear, and without recursion. */
export function findJsonFault(text: string): JsonFault {
  const scanner = new JsonScanner(text)
  const verdict = scanner.scan()
  return verdict === 'wrong' ? { at: scanner.at, cut: looseCut(text) } : { at: text.length, cut: verdict }
}

/** Whether JSON may begin with a text: with it, or with a text that goes on from it. */
export function mayBeJson(text: string): boolean {
  const scanner = new JsonScanner(text)
  // What is last may be the start of a number or an escape.
  return scanner.scan() !== 'wrong' || scanner.at + longestToken > text.length
}

/** Longer than what is left open at the end of a text. */
const longestToken = 8

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
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

  scan(): JsonFault['cut'] | 'wrong' {
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
      const escaped = text.slice(this.at + 1, this.at + 6)
      const isCut = this.at + 1 + escaped.length === text.length && /^(?:u[0-9a-fA-F]{0,3})?$/.test(escaped)
      if (isCut) return 'inside'
      if (!/^(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.test(escaped)) return 'wrong'
      this.at++
    }
    return 'inside'
  }

  #word(): Step {
    const text = this.#text
    const tail = text.length - this.at > longestTail ? undefined : text.slice(this.at)
    const literal = literals.find((one) => text.startsWith(one, this.at))
    number.lastIndex = this.at
    const end = this.at + (literal ?? number.exec(text)?.[0] ?? '').length
    if (tail !== undefined && end < text.length && (startOfNumber.test(tail) || literals.some((one) => one.startsWith(tail))))
      return 'inside'
    if (end === this.at) return 'wrong'
    this.at = end
    return 'ok'
  }

  #skipSpace(): void {
    while (' \t\n\r'.includes(this.#text[this.at] ?? 'end')) this.at++
  }
}

/** How a text ends that is not JSON anyhow: as the repair reads it, so that both agree on what was cut off. */
function looseCut(text: string): JsonFault['cut'] {
  const read = repairJson(text)
  return read.cut ?? 'none'
}
