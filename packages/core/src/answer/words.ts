/** Counts words, however the text is chunked: a word is a run of characters without white space. */
export class WordCounter {
  count = 0
  #inWord = false

  /** Takes the next piece of text; returns the index in it at which word number `stop` starts, if it does. */
  push(text: string, stop = Number.POSITIVE_INFINITY): number | undefined {
    for (let at = 0; at < text.length; at++) {
      const visible = !isSpace(text.charCodeAt(at))
      if (visible && !this.#inWord) {
        this.count++
        if (this.count >= stop) return at
      }
      this.#inWord = visible
    }
    return undefined
  }
}

/** The number of words in a text. */
export function countWords(text: string): number {
  const counter = new WordCounter()
  counter.push(text)
  return counter.count
}

/** Whether a code unit is white space. */
export function isSpace(code: number): boolean {
  if (code < 128) return code === 32 || (code >= 9 && code <= 13)
  return code === 0xa0 || code === 0xfeff || (code >= 0x1680 && /\s/.test(String.fromCharCode(code)))
}
