import { isDigit } from '../../answer/characters.ts'
import { escapeLength } from './email.ts'
import { keyPrefixes, tokenPrefix } from './keys.ts'

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
  if (isSymbol(code)) return end
  const character = String.fromCharCode(code)
  // Behind a Latin letter it may be the dot of a domain.
  if (punctuation.has(character)) return code === 0x3002 && before < 128 ? trigger : end
  // The second half of a letter in another form is not that of a picture.
  return letters.test(character) && (code < 0xdc00 || code > 0xdfff || (before >= 0xd83c && before <= 0xd83e)) ? letter : trigger
}

/** Arrows, signs of mathematics, lines of boxes, shapes and pictures, but for a minus and for numbers and letters in circles. */
function isSymbol(code: number): boolean {
  if (code < 0x2190) return code === 0xd7 || code === 0xf7 || code === 0xb0
  return code < 0x2776 && code !== 0x2212 && (code < 0x2460 || code > 0x24ff)
}

const space = 32
const percent = 37
const parenthesis = 40
const closing = 41
const plus = 43
const dash = 45
const dot = 46
const slash = 47
const colon = 58
const backslash = 92
const underscore = 95

/** The first two characters of keys and tokens, and the third of tokens. */
const keyPairs: ReadonlySet<number> = new Set(
  [...keyPrefixes, tokenPrefix].map((prefix) => pairOf(prefix.charCodeAt(0), prefix.charCodeAt(1))),
)
const thirdOfToken = tokenPrefix.charCodeAt(2)

function pairOf(first: number, second: number): number {
  return first * 128 + second
}

/** A longer run may be the name of a mailbox, and a longer word a key. */
const longestRun = 64
const longestWord = 15
/** So many digits are no value of any kind, with up to so many dots between them; a longer gap does not belong to a number. */
const mostDigits = 7
const mostDots = 2
const longestGap = 4
/** So many hyphens are before a private key. */
const fewestDashes = 5

/** Reads text in which nothing sensitive has begun, a character at a time: words without signs, which are most of a text, and short numbers. */
export class QuietText {
  #before = 0
  /** The length of the run of letters and signs at the end, of what may be a key in it, and of the letters and digits at its end. */
  #run = 0
  #word = 0
  #part = 0
  /** Whether the word may be a key, and whether the run has a colon. */
  #mayBeKey = false
  #hasColon = false
  /** The digits of a number to which more may belong, 0 when there is none; dots between them, and how much follows them. */
  #digits = 0
  #dots = 0
  #gap = 0

  /** Begins again behind text that has been searched. */
  reset(searched: string): void {
    this.#before = searched.endsWith('\\') ? backslash : 0
    this.#digits = 0
    this.#endRun()
  }

  /** How much of a chunk is certain: up to the end of its last word or number, -1 when that is before it; undefined when something may begin in it. */
  push(chunk: string): number | undefined {
    let certain = -1
    for (let at = 0; at < chunk.length; at++) {
      const code = chunk.charCodeAt(at)
      const before = this.#before
      const kind = code < 128 ? (ascii[code] as number) : classOf(code, before)
      this.#before = code
      if (kind === trigger) return undefined
      if (kind === digit && (this.#digits > 0 || this.#run === 0 || before === parenthesis)) {
        if (!this.#addDigit(before)) return undefined
        continue
      }
      if (this.#digits > 0) {
        if (isInNumber(code, before)) {
          if (++this.#gap > longestGap) return undefined
          continue
        }
        if (kind !== end) {
          if (!this.#endsNumber(code, kind, before)) return undefined
          certain = at
        }
        this.#digits = 0
      }
      if (kind === end) {
        certain = at + 1
        this.#endRun()
      } else if (!this.#extendRun(code, kind, before)) return undefined
    }
    return certain
  }

  #endRun(): void {
    this.#run = 0
    this.#word = 0
    this.#part = 0
    this.#mayBeKey = false
    this.#hasColon = false
  }

  /** Whether a number with one more digit can still be no value. */
  #addDigit(before: number): boolean {
    if (this.#digits === 0) {
      this.#endRun()
      this.#dots = 0
    } else if (before === dot) this.#dots++
    this.#gap = 0
    return ++this.#digits <= mostDigits && this.#dots <= mostDots && before !== percent
  }

  /** Whether a word, or one with signs of emphasis around it, follows a number and is no part of it. */
  #endsNumber(code: number, kind: number, before: number): boolean {
    if (kind === letter) return isBetweenWords(before)
    return before === space && this.#gap > 1 && isEmphasis(code)
  }

  /** Whether a run with one more character can still be neither an address nor an account or a key. */
  #extendRun(code: number, kind: number, before: number): boolean {
    if (kind === letter ? code < 128 : kind === digit) {
      if (kind === digit && (this.#part === 0 || (this.#part === 2 && !isDigit(before)))) return false
      if (this.#part === 1) this.#mayBeKey ||= keyPairs.has(pairOf(before, code))
      else if (this.#part === 2 && code === thirdOfToken && this.#mayBeKey) return false
      else if (this.#part === 0 && before === dash && this.#run >= fewestDashes && code === beginsKey) return false
      // A value may begin behind an escaped line break.
      if (before !== backslash || escapeLength(String.fromCharCode(before, code), 1) === 0) {
        this.#part++
        this.#word++
      }
    } else {
      // A renderer may show what is around signs of emphasis as one word.
      if (isEmphasis(code)) this.#mayBeKey ||= this.#part > 0
      this.#part = 0
      if (code === dash ? this.#word > 0 : code === dot || code === underscore) this.#word++
      else if (code !== dash && !isEmphasis(code)) {
        this.#word = 0
        this.#mayBeKey = false
        // Two of them may be those of an address of hexadecimal digits.
        if (code === colon && this.#hasColon) return false
        this.#hasColon ||= code === colon
      }
    }
    return ++this.#run <= longestRun && (this.#word <= longestWord || !this.#mayBeKey)
  }
}

/** The first letter of `BEGIN`. */
const beginsKey = 66

/** Whether more digits of a number may follow a sign. */
function isInNumber(code: number, before: number): boolean {
  return isBetweenWords(code) || code === dot || code === dash || code === plus || code === percent || (code === colon && before !== colon)
}

function isBetweenWords(code: number): boolean {
  return code === space || code === slash || code === parenthesis || code === closing
}

/** * ` ~ */
function isEmphasis(code: number): boolean {
  return code === 42 || code === 96 || code === 126
}
