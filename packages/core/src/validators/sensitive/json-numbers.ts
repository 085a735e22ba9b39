/** A longer beginning of an answer is neither a JSON value nor the fence before one. */
const longestHead = 80

/** Finds where a JSON answer has no string, so that the replacement of a number needs quotes; the text is given in order. */
export class JsonNumbers {
  #head = ''
  #isJson: boolean | undefined
  #inString = false
  #isEscaped = false

  /** Takes the next part of a text. */
  advance(text: string, start: number, end: number): void {
    if (this.#isJson === undefined) this.#begin(text.slice(start, Math.min(end, start + longestHead)))
    if (this.#isJson === false) return
    for (let at = start; at < end; at++) {
      const code = text.charCodeAt(at)
      if (code === 34 && !this.#isEscaped) this.#inString = !this.#inString
      this.#isEscaped = code === 92 && !this.#isEscaped
    }
  }

  /** Whether a text at the end of those is a number of JSON. */
  isNumber(text: string): boolean {
    return this.#isJson === true && !this.#inString && /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)
  }

  #begin(text: string): void {
    this.#head += text
    // backtracks: at most 160 characters
    const first = /^\s*(?:`{3,}[\w-]*\s+)?([^\s`])/.exec(this.#head)?.[1]
    if (first !== undefined) this.#isJson = first === '{' || first === '['
    else if (this.#head.length > longestHead) this.#isJson = false
  }
}
