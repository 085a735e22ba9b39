/** Recognises thematic breaks on one line; reads each line once, however many list markers precede it. */
export class ThematicBreaks {
  #text = ''
  /** For each of the three characters, the offset of the last character that its break cannot contain; -2 when not yet searched. */
  #star = -2
  #dash = -2
  #underscore = -2

  /** Starts a line. */
  open(text: string): void {
    this.#text = text
    this.#star = -2
    this.#dash = -2
    this.#underscore = -2
  }

  /** Whether the line is a thematic break from `at` on. */
  at(at: number): boolean {
    const code = this.#text.charCodeAt(at)
    if (code !== 42 && code !== 45 && code !== 95) return false
    if (this.#findLastOther(code) >= at) return false
    let count = 0
    for (let index = at; index < this.#text.length && count < 3; index++) if (this.#text.charCodeAt(index) === code) count++
    return count === 3
  }

  #findLastOther(code: number): number {
    if (code === 42) {
      if (this.#star === -2) this.#star = this.#scan(code)
      return this.#star
    }
    if (code === 45) {
      if (this.#dash === -2) this.#dash = this.#scan(code)
      return this.#dash
    }
    if (this.#underscore === -2) this.#underscore = this.#scan(code)
    return this.#underscore
  }

  #scan(code: number): number {
    let at = this.#text.length - 1
    while (at >= 0 && isPartOfBreak(this.#text.charCodeAt(at), code)) at--
    return at
  }
}

function isPartOfBreak(found: number, code: number): boolean {
  return found === code || found === 32 || found === 9
}
