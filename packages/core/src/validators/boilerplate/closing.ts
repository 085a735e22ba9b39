import type { TextSpan } from '../../answer/span.ts'
import { isSpace } from '../../answer/words.ts'
import { anyOf, mayStart, startsOf } from './phrases.ts'

/** A longer sentence says more than that more can be had. */
const longestOffer = 260

// backtracks: a sentence of at most 260 characters, at its start
const offer = new RegExp(`^[*_]{0,3}(?:${anyOf('offer')})`, 'iu')
const starts = startsOf('offerStarts')

/** Lines whose sentences are not said to the reader: quotes, tables, headings, code and items of lists. */
const otherLine = /^(?:[>|#`~]|[-+•*] |\d{1,3}[.)](?: |$))/
const rule = /^[-*_]{3}/
/** What a letter begins and ends with: its offers are part of the letter. */
const salutation =
  /^(?:(?:dear|hi|hello|hey|sehr geehrte|liebe|lieber|hallo|guten tag)(?![\p{L}])[^.!?]{0,60},|(?:\*\*)?(?:subject|betreff):)/iu
const signOff =
  /^(?:sincerely|best|kind|warm|warmest|regards|yours|respectfully|thanks|thank you|cheers|love|mit freundlichen|viele grüße|beste grüße|herzliche|liebe grüße)(?![\p{L}])/iu

/** Finds the sentences at the end of a text that only offer more; the text is given in order. */
export class ClosingWatch {
  readonly #offset: number
  #at = 0
  /** The sentence that is being read, as far as it is looked at; empty in the white space between two. */
  #said = ''
  #start = 0
  /** Whether what was read of it may be followed by a new sentence. */
  #isEnded = false
  #mayBeOffer = true
  /** Where the white space before it starts, and how many line breaks that has. */
  #gap = 0
  #breaks = 2
  #isFirstOfLine = true
  #isOtherLine = false
  #isLetter = false
  #hasText = false
  /** Where the offers start with the white space before them, and where their first letter is. */
  #chain: { readonly start: number; readonly visible: number } | undefined

  constructor(offset: number) {
    this.#offset = offset
  }

  /** From where on the text may have to be removed. */
  get open(): number {
    if (this.#chain) return this.#offset + this.#chain.start
    if (this.#said !== '' && this.#mayBeOffer)
      this.#mayBeOffer =
        this.#said.length <= longestOffer && (mayStart(this.#said, starts, emphasisOf(this.#said)) || this.#mayBeSpacer(this.#said))
    return this.#offset + (this.#said === '' || this.#mayBeOffer ? this.#gap : this.#at)
  }

  /** Takes the next piece of text. */
  push(text: string): void {
    const start = this.#at
    let from = 0
    let isInside = this.#said !== ''
    let isEnded = this.#isEnded
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index)
      if (!isSpace(code)) {
        if (!isInside) {
          isInside = true
          from = index
          this.#start = start + index
        }
        isEnded = isMark(code) || (isEnded && isCloser(code))
        continue
      }
      const isBreak = code === 10 || code === 13
      if (isInside && (isBreak || isEnded)) {
        this.#at = start + index
        this.#read(text, from, index)
        this.#finish()
        isInside = false
        isEnded = false
      }
      if (isBreak && !isInside) this.#breakLine(code)
    }
    this.#at = start + text.length
    this.#isEnded = isEnded
    if (isInside) this.#read(text, from, text.length)
  }

  /** Ends the text: what only offers more, with the white space before it, and where its first letter is. */
  end(): { readonly span: TextSpan; readonly visible: number } | undefined {
    const isQuoted = /["”“»«]$/.test(this.#said)
    if (this.#said !== '') this.#finish()
    if (this.#chain === undefined || !this.#hasText || isQuoted) return undefined
    const { start, visible } = this.#chain
    return { span: { start: this.#offset + start, end: this.#offset + this.#at }, visible: this.#offset + visible }
  }

  /** Takes a part of a sentence, as far as that is looked at: not where it is known that it is no offer, and it does not tell what its line is. */
  #read(text: string, from: number, end: number): void {
    if (this.#said !== '' && !this.#mayBeOffer && !this.#isFirstOfLine) return
    if (this.#said.length <= longestOffer) this.#said += text.slice(from, Math.min(end, from + longestOffer + 1))
  }

  #breakLine(code: number): void {
    // The two characters of one break count once.
    if (code === 10) this.#breaks++
    this.#isFirstOfLine = true
    this.#isOtherLine = false
  }

  #finish(): void {
    const said = this.#said
    if (this.#isFirstOfLine) {
      this.#isOtherLine = otherLine.test(said)
      this.#isLetter = salutation.test(said) || (this.#isLetter && !signOff.test(said))
    }
    const isSpacer = this.#mayBeOffer && rule.test(said) && this.#mayBeSpacer(said)
    if (!isSpacer && this.#mayBeOffer && this.#isOffer(said)) this.#chain ??= { start: this.#gap, visible: this.#start }
    else if (!isSpacer) {
      this.#chain = undefined
      this.#hasText = true
    }
    if (!isSpacer) {
      this.#gap = this.#at
      this.#breaks = 0
    }
    this.#said = ''
    this.#isFirstOfLine = false
    this.#mayBeOffer = true
  }

  /** A rule below a line of text would make that a heading. */
  #mayBeSpacer(said: string): boolean {
    return this.#breaks > 1 && said.length <= longestOffer && /^(?:-+|\*+|_+)$/.test(said)
  }

  #isOffer(said: string): boolean {
    if (this.#isOtherLine || this.#isLetter || said.length > longestOffer) return false
    return mayStart(said, starts, emphasisOf(said)) && offer.test(said)
  }
}

/** How many marks of emphasis a sentence begins with, of those that are looked at. */
function emphasisOf(said: string): number {
  let at = 0
  while (at < 3 && (said.charCodeAt(at) === 42 || said.charCodeAt(at) === 95)) at++
  return at
}

/** . ! ? … */
function isMark(code: number): boolean {
  return code === 46 || code === 33 || code === 63 || code === 0x2026
}

/** Quotes, brackets and marks of emphasis that may follow such a mark. */
function isCloser(code: number): boolean {
  return code < 128
    ? code === 34 || code === 39 || code === 41 || code === 42 || code === 95
    : code === 0x201c || code === 0x201d || code === 0x2019 || code === 0xab || code === 0xbb
}
