/** What a character does to text in which nothing sensitive has begun: a part of a word, the end of one, or a character with which something may begin. */
const word = 0
const end = 1
const trigger = 2

/** Signs that are part of a word, and those that end one. */
const inWord = '_.-+(#%!*`~]:'
const atEnd = ' \t\r\n,;"\'{}|=?/^$)>'

const ascii = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  return atEnd.includes(character) ? end : inWord.includes(character) || /[A-Za-z]/.test(character) ? word : trigger
})

/** Punctuation of other scripts that ends a word. */
const punctuation = new Set(
  '\u2014\u2018\u2019\u201c\u201d\u2022\u2026\u2192\u3001\u3002\u300a\u300b\u300c\u300d\u3010\u3011\uff01\uff0c\uff1a\uff1b\uff1f',
)

/** Letters of other scripts that have one form: Latin, Greek, Cyrillic, Hebrew, Arabic, Japanese, Chinese, Korean; and halves of pictures. */
const letters =
  /[\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0386-\u03ff\u0400-\u052f\u05d0-\u05ea\u0620-\u064a\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3\ud83c-\ud83e\udc00-\udfff]/

function classOf(code: number, before: number): number {
  if (code < 128) return code === dash && before === dash ? trigger : (ascii[code] as number)
  const character = String.fromCharCode(code)
  // Behind a Latin letter it may be the dot of a domain.
  if (punctuation.has(character)) return code === 0x3002 && before < 128 ? trigger : end
  // The second half of a letter in another form is not that of a picture.
  return letters.test(character) && (code < 0xdc00 || code > 0xdfff || (before >= 0xd83c && before <= 0xd83e)) ? word : trigger
}

const dash = 45
const dot = 46
const underscore = 95

/** A longer run may be the name of a mailbox or a key, and is looked at. */
const longestRun = 64
const longestWord = 15

/** Reads text in which nothing sensitive has begun, a character at a time: words without digits and signs, which are most of a text. */
export class QuietText {
  #before = end
  #run = 0
  #word = 0

  /** Begins again behind text that has been searched. */
  reset(): void {
    this.#before = 0
    this.#run = 0
    this.#word = 0
  }

  /** How much of a chunk is certain: up to the end of its last word, 0 when that is before it; undefined when something may begin in it. */
  push(chunk: string): number | undefined {
    let certain = 0
    for (let at = 0; at < chunk.length; at++) {
      const code = chunk.charCodeAt(at)
      const kind = classOf(code, this.#before)
      this.#before = code
      if (kind === trigger) return undefined
      if (kind === end) {
        certain = at + 1
        this.#run = 0
        this.#word = 0
        continue
      }
      const isKey =
        code >= 65 ? code < 128 && code !== 93 && code !== 96 && code !== 126 : code === dash || code === dot || code === underscore
      this.#word = isKey ? this.#word + 1 : 0
      if (++this.#run > longestRun || this.#word > longestWord) return undefined
    }
    return certain
  }
}
