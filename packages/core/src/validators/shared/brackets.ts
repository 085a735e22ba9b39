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
