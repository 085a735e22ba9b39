import { isDigit } from './detector.ts'

/** What a character does to text in which nothing sensitive has begun: a part of a word, the end of one, a digit, or a character with which something may begin. */
const letter = 0
const sign = 1
const end = 2
const digit = 3
const trigger = 4

/** Signs that are part of a word, and those that end one. */
const inWord = '_.-+(#%!*`~]:'
const atEnd = ' \t\r\n,;"\'{}|=?/^$)>'

const ascii = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  if (/[A-Za-z]/.test(character)) return letter
  if (atEnd.includes(character)) return end
  return inWord.includes(character) ? sign : isDigit(code) ? digit : trigger
})

/** Punctuation of other scripts that ends a word. */
const punctuation = new Set(
  '\u2014\u2018\u2019\u201c\u201d\u2022\u2026\u2192\u3001\u3002\u300a\u300b\u300c\u300d\u3010\u3011\uff01\uff0c\uff1a\uff1b\uff1f',
)

/** Letters of other scripts that have one form: Latin, Greek, Cyrillic, Hebrew, Arabic, Japanese, Chinese, Korean; and halves of pictures. */
const letters =
  /[\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0386-\u03ff\u0400-\u052f\u05d0-\u05ea\u0620-\u064a\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3\ud83c-\ud83e\udc00-\udfff]/

/** The same of other characters. */
function classOf(code: number, before: number): number {
  const character = String.fromCharCode(code)
  // Behind a Latin letter it may be the dot of a domain.
  if (punctuation.has(character)) return code === 0x3002 && before < 128 ? trigger : end
  // The second half of a letter in another form is not that of a picture.
  return letters.test(character) && (code < 0xdc00 || code > 0xdfff || (before >= 0xd83c && before <= 0xd83e)) ? letter : trigger
}

const dash = 45
const dot = 46
const underscore = 95

const space = 32
const parenthesis = 40
const closing = 41
const slash = 47
const colon = 58

/** A longer run may be the name of a mailbox or a key, and is looked at. */
const longestRun = 64
const longestWord = 15
/** So many digits are no value of any kind, with up to so many dots between them; a longer gap does not belong to a number. */
const mostDigits = 7
const mostDots = 2
const longestGap = 4

/** Reads text in which nothing sensitive has begun, a character at a time: words without digits and signs, which are most of a text, and short numbers. */
export class QuietText {
  #before = 0
  /** The length of the run of letters and signs at the end, whether it has a colon, and the length of what may be a key in it. */
  #run = 0
  #hasColon = false
  #word = 0
  /** The digits of a number to which more may belong, 0 when there is none; dots between them, and how much follows them. */
  #digits = 0
  #dots = 0
  #gap = 0

  /** Begins again behind text that has been searched. */
  reset(): void {
    this.#before = 0
    this.#run = 0
    this.#hasColon = false
    this.#word = 0
    this.#digits = 0
  }

  /** How much of a chunk is certain: up to the end of its last word or number, -1 when that is before it; undefined when something may begin in it. */
  push(chunk: string): number | undefined {
    let certain = -1
    let before = this.#before
    let run = this.#run
    let word = this.#word
    for (let at = 0; at < chunk.length; at++) {
      const code = chunk.charCodeAt(at)
      const kind = code < 128 ? (ascii[code] as number) : classOf(code, before)
      if (kind === trigger) return undefined
      if (kind === digit) {
        // A number begins behind a word, or in parentheses.
        if (!this.#addDigit(before, run === 0 || (run === 1 && before === parenthesis))) return undefined
        run = 0
        word = 0
      } else if (this.#digits > 0 && isInNumber(code, before)) {
        if (++this.#gap > longestGap) return undefined
      } else {
        if (this.#digits > 0) {
          if (kind !== end && (kind !== letter || !isBetweenWords(before))) return undefined
          this.#digits = 0
          certain = at
        }
        if (kind === end) {
          certain = at + 1
          run = 0
          word = 0
          this.#hasColon = false
        } else {
          if (kind === letter) word = code < 128 ? word + 1 : 0
          else if (code === dash || code === dot || code === underscore) {
            if (code === dash && before === dash) return undefined
            word++
          } else {
            word = 0
            if (code === colon) {
              // Two of them may be those of an address of hexadecimal digits.
              if (this.#hasColon) return undefined
              this.#hasColon = true
            }
          }
          if (++run > longestRun || word > longestWord) return undefined
        }
      }
      before = code
    }
    this.#before = before
    this.#run = run
    this.#word = word
    return certain
  }

  /** Whether a number with one more digit, or one that begins, can still be no value. */
  #addDigit(before: number, begins: boolean): boolean {
    if (this.#digits === 0) {
      if (!begins) return false
      this.#dots = 0
    } else if (before === dot) this.#dots++
    this.#gap = 0
    return ++this.#digits <= mostDigits && this.#dots <= mostDots
  }
}

/** Whether more digits of a number may follow a sign. */
function isInNumber(code: number, before: number): boolean {
  return isBetweenWords(code) || code === dot || (code === colon && before !== colon)
}

function isBetweenWords(code: number): boolean {
  return code === space || code === slash || code === parenthesis || code === closing
}
