import { isDigit } from '../../../answer/characters.ts'
import type { RepairClass } from '../../../contract/certificate.ts'
import { isSpace } from '../../../json/scan.ts'
import { char, isOddSpace, isQuote } from '../characters.ts'
import { isBareWords, isScalar } from './bare-token.ts'
import { type Ahead, isFiller, isKey, isMemberBehindComma, isScalarAt, skipSpace } from './lookahead.ts'
import type { StringPlace } from './string-end.ts'
import type { TextWindow } from './text-window.ts'

/** How a token without quotes ended: as such, with a quote whose opener is missing, as a function's name, or as the prefix of a string. */
type BareStep = 'more' | 'end' | 'quote' | 'call' | 'prefix' | 'refused'

/** Whether a character ends the token, belongs to it, or is undecided. */
type Verdict = BareStep | 'text'

const name = /^[A-Za-z_$][\w$.]*$/
const prefix = /^(?:[bfu]|r[bf]?|[bf]r)$/i
const underscore = 95
const dollar = 36

/** Reads numbers, literals and text without quotes. */
export class BareReader {
  /** The token so far. */
  token = ''
  place: StringPlace = 'root'
  /** Offset of the token. */
  start = 0
  /** Known to be text, so that white space does not end it; a guess when a comma or a key might have ended it. */
  isText = false
  class: RepairClass = 'lossless'
  /** A character in it that no number, literal or name has: asked again for each character, long tokens would take for ever. */
  #mixed = false
  #nameless = false
  /** Length of the token when it was last asked whether it is a number or literal, and the answer. */
  #asked = -1
  #answer = false
  /** Parentheses that are open: a call is one piece of text. */
  #parens = 0
  readonly #window: TextWindow

  constructor(window: TextWindow) {
    this.#window = window
  }

  /** Starts a token. */
  open(place: StringPlace): void {
    this.token = ''
    this.place = place
    this.start = this.#window.offset
    this.isText = false
    this.class = 'lossless'
    this.#mixed = false
    this.#nameless = false
    this.#asked = -1
    this.#parens = 0
  }

  /** Reads on, up to the end of the token or of the text that is there. */
  read(): BareStep {
    const window = this.#window
    const { text } = window
    let from = window.at
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (isOrdinary(code)) continue
      if (at > from) this.token += text.slice(from, at)
      window.at = at
      from = at
      const verdict = this.#judge(code, at)
      if (verdict !== 'text') return verdict
      this.#mixed = true
      if (code !== underscore && code !== dollar) this.#nameless = true
    }
    this.token += text.slice(from)
    window.at = text.length
    return 'more'
  }

  #judge(code: number, at: number): Verdict {
    switch (code) {
      case 0:
        return 'refused'
      case char.newline:
      case char.return:
        return this.#parens > 0 ? 'refused' : 'end'
      case char.closeBrace:
      case char.closeBracket:
        return 'end'
      case char.comma:
        return this.#judgeComma(at)
      case char.quote:
      case char.apostrophe:
        return this.#judgeQuote(code, at)
      case char.openBrace:
      case char.openBracket:
        return this.#scalar ? 'end' : 'refused'
      case char.openParen:
        return this.#judgeParen(at)
      case char.closeParen:
        return this.#judgeCloseParen()
      case char.colon:
        return this.#judgeColon(at)
      case char.backslash:
      case char.semicolon:
        return this.#scalar ? 'end' : 'text'
      case char.slash:
      case char.backtick:
        return this.#judgeFiller(at)
      default:
        return isSpace(code) || isOddSpace(code) ? this.#judgeSpace(at) : 'text'
    }
  }

  /** Asked by length first: to look into a text that is put together from pieces copies all of it. */
  get #isPrefix(): boolean {
    return this.token.length <= 2 && prefix.test(this.token)
  }

  get #scalar(): boolean {
    if (this.isText || this.#mixed) return false
    if (this.#asked !== this.token.length) {
      this.#asked = this.token.length
      this.#answer = isScalar(this.token)
    }
    return this.#answer
  }

  /** repair: a comma inside text without quotes, when no member follows it */
  #judgeComma(at: number): Verdict {
    if (this.#parens > 0) return 'text'
    if (this.place !== 'member' || this.#scalar) return 'end'
    const member = isMemberBehindComma(this.#window.ahead(at), 1, this.#window.rim(at))
    if (member === 'more') return 'more'
    if (member) return 'end'
    this.isText = true
    this.class = 'guess'
    return 'text'
  }

  /** A colon and white space may have ended a key: that text goes on is a guess. */
  #judgeColon(at: number): Verdict {
    const { text, ended } = this.#window
    if (at + 1 >= text.length && !ended) return 'more'
    if (isSpace(text.charCodeAt(at + 1))) this.class = 'guess'
    return 'text'
  }

  #judgeSpace(at: number): Verdict {
    const window = this.#window
    const ahead = window.ahead(at)
    const rim = window.rim(at)
    const next = skipSpace(ahead, 0)
    if (next + 2 >= ahead.length && rim === 'open') return 'more'
    // At the end of the text it matters whether white space follows: the token is then known to be whole.
    if (next >= ahead.length) return rim === 'end' && /^[ \t\r\n]*$/.test(ahead) ? 'text' : 'end'
    if (isFiller(ahead, next) && (this.#scalar || /[/`]/.test(ahead[next] as string))) return 'end'
    if (!this.#scalar) {
      this.isText = true
      return 'text'
    }
    const ends = this.#endsScalar(ahead, next)
    if (ends === 'more') return 'more'
    if (ends) return 'end'
    this.isText = true
    return 'text'
  }

  /** After a number or literal and white space: what comes is no more of it, unless it is a word. */
  #endsScalar(ahead: string, next: number): Ahead {
    const code = ahead.charCodeAt(next)
    const rim = this.#window.rim(this.#window.at)
    if (ahead.slice(0, next).includes('\n') || isQuote(code) || !/[\p{L}\d$%*/+<>=&|^~?!@-]/u.test(ahead[next] as string)) return true
    return this.place === 'member' ? isKey(ahead, next, rim) : isScalarAt(ahead, next, rim)
  }

  #judgeQuote(code: number, at: number): Verdict {
    if (code === char.apostrophe) return this.#isPrefix ? 'prefix' : this.#scalar ? 'end' : 'text'
    // The arguments of a call are no values of their own.
    if (this.#parens > 0) return 'refused'
    const window = this.#window
    const ahead = window.ahead(at)
    const rim = window.rim(at)
    const next = skipSpace(ahead, 1)
    if (next >= ahead.length && rim === 'open') return 'more'
    const behind = ahead.charCodeAt(next)
    // repair: the closing quote is there, the opening one is not; at the end of the text nothing says which one it is
    if (
      (next >= ahead.length && this.place === 'root') ||
      behind === char.comma ||
      behind === char.closeBrace ||
      behind === char.closeBracket
    ) {
      if (this.#scalar) this.class = 'guess'
      return 'quote'
    }
    if (this.#isPrefix) return 'prefix'
    if (this.#scalar) return 'end'
    if (this.place !== 'member') return isBareWords(this.token.trim()) ? 'end' : 'refused'
    const key = isKey(ahead, 0, rim)
    if (key === 'more') return 'more'
    if (key) return 'end'
    this.isText = true
    return 'text'
  }

  #judgeParen(at: number): Verdict {
    const { text, ended } = this.#window
    if (at + 1 >= text.length && !ended) return 'more'
    const next = text.charCodeAt(at + 1)
    const value = isQuote(next) || isDigit(next) || next === char.minus || next === char.openBrace || next === char.openBracket
    if (value && !this.#nameless && name.test(this.place === 'root' ? this.token.trim() : this.token)) return 'call'
    this.#parens++
    return 'text'
  }

  #judgeCloseParen(): Verdict {
    if (this.#parens === 0) return this.place === 'call' ? 'end' : 'text'
    this.#parens--
    return 'text'
  }

  #judgeFiller(at: number): Verdict {
    const { text, ended } = this.#window
    if (at + 2 >= text.length && !ended) return 'more'
    if (text.startsWith('```', at)) return 'end'
    return this.#scalar && isFiller(text, at) ? 'end' : 'text'
  }
}

/** Letters, digits and what else needs no thought in a token. */
function isOrdinary(code: number): boolean {
  if (code > 96) return code < 123 || (code > 125 && !isOddSpace(code))
  if (code > 47) return code < 58 || (code > 64 && code < 91)
  return code === char.minus || code === char.dot || code === char.plus
}
