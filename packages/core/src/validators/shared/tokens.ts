/** What a token is: letters, or one of a script without spaces; digits; a sign; or a line break. */
export type TokenKind = 'word' | 'number' | 'sign' | 'break'

/** Takes a token: a number that is the same for equal tokens, and where it is; all numbers are equal but for `exact`. */
type TokenTaker = (hash: number, kind: TokenKind, start: number, end: number, exact: number) => void

const blank = 0
const letter = 1
const digit = 2
const sign = 3
const single = 4
const lineBreak = 5

/** Letters of a longer run count one by one, so that runs without spaces are compared in every position. */
const longestWord = 24

const numberHash = 0x2f0b4a1d

const ascii = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code === 10) return lineBreak
  if (code <= 32 || code === 127) return blank
  if (code >= 48 && code <= 57) return digit
  return (code | 32) >= 97 && (code | 32) <= 122 ? letter : sign
})

/** Cuts text into words, numbers and signs, however it is chunked; case and white space do not tell tokens apart. */
export class TokenSplitter {
  readonly #take: TokenTaker
  #kind = blank
  #hash = 0
  #start = 0
  /** Whether the letters of a long run are read. */
  #isLong = false
  /** How much has been read. */
  at: number

  constructor(take: TokenTaker, start = 0) {
    this.#take = take
    this.at = start
  }

  /** Where the token starts that is open; where the text ends when none is. */
  get open(): number {
    return this.#kind === blank ? this.at : this.#start
  }

  /** Takes the next piece of text. */
  push(text: string): void {
    for (let index = 0; index < text.length; index++, this.at++) {
      const code = text.charCodeAt(index)
      const kind = code < 128 ? (ascii[code] as number) : kindOf(code)
      if (kind === this.#kind && (kind === digit || (kind === letter && this.at - this.#start < longestWord))) {
        this.#hash = mixed(this.#hash, kind === letter && code < 128 ? code | 32 : code)
        continue
      }
      this.#isLong = kind === letter && (this.#isLong || this.#kind === letter)
      if (this.#kind !== blank) this.end()
      if ((kind === letter && !this.#isLong) || kind === digit) {
        this.#kind = kind
        this.#start = this.at
        this.#hash = mixed(kind, code < 128 ? code | 32 : code)
      } else if (kind !== blank) {
        const hash = mixed(kind, code)
        this.#take(hash, kind === sign ? 'sign' : kind === lineBreak ? 'break' : 'word', this.at, this.at + 1, hash)
      }
    }
  }

  /** Ends the token that is open. */
  end(): void {
    const kind = this.#kind
    this.#kind = blank
    if (kind === letter) this.#take(this.#hash, 'word', this.#start, this.at, this.#hash)
    else if (kind === digit) this.#take(numberHash, 'number', this.#start, this.at, this.#hash)
  }
}

/** The number of a sign. */
export function signHash(character: string): number {
  return mixed(sign, character.charCodeAt(0))
}

function mixed(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x5bd1e995) ^ (hash >>> 15)
}

function kindOf(code: number): number {
  if (code === 0x2028 || code === 0x2029 || code === 0x85) return lineBreak
  if (code === 0xa0 || code === 0xfeff || (code >= 0x2000 && code <= 0x200f) || code === 0x3000) return blank
  if (code < 0xc0 || code === 0xd7 || code === 0xf7) return sign
  // Thai, Lao, Burmese and Khmer, and what is written without spaces in East Asia; halves of other characters too.
  if ((code >= 0xe00 && code < 0xf00) || (code >= 0x1000 && code < 0x10a0) || (code >= 0x1780 && code < 0x1800)) return single
  if (code < 0x2000) return letter
  if (code < 0x2e80 || (code >= 0x3001 && code <= 0x3020) || (code >= 0xff00 && code <= 0xff0f) || code === 0xff1a || code === 0xff1f)
    return sign
  return code >= 0xac00 && code < 0xd7b0 ? letter : single
}
