import { endOfString } from '../../json/end-of-string.ts'

const quote = 34

/** The offset after the bracket that closes the one at `start`, by JSON's own rules for strings; undefined when none does. */
export function endOfBrackets(text: string, start: number, end: number): number | undefined {
  let depth = 0
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      at = endOfString(text, at + 1, end)
    } else if (code === 123 || code === 91) depth++
    else if ((code === 125 || code === 93) && --depth === 0) return at + 1
  }
  return undefined
}

/** Whether a character opens an object or a list. */
export function isBracket(text: string, at: number): boolean {
  return text.charCodeAt(at) === 123 || text.charCodeAt(at) === 91
}

/** Finds the brackets that open something, asked for in text order: to search is faster than to look at each character, and prose has few of them. */
export class OpenBrackets {
  readonly #text: string
  #list = -1
  #object = -1

  constructor(text: string) {
    this.#text = text
  }

  /** Where the next one is; infinite when there is none. */
  next(from: number): number {
    if (this.#list < from) this.#list = this.#find('[', from)
    if (this.#object < from) this.#object = this.#find('{', from)
    return Math.min(this.#list, this.#object)
  }

  #find(bracket: string, from: number): number {
    const found = this.#text.indexOf(bracket, from)
    return found < 0 ? Number.POSITIVE_INFINITY : found
  }
}

/** The next bracket that opens something, or -1. */
export function nextBracket(text: string, from: number, end: number): number {
  for (let at = from; at < end; at++) {
    if (isBracket(text, at)) return at
  }
  return -1
}
