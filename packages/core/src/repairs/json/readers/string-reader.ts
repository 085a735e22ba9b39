import type { RepairClass } from '../../../contract/certificate.ts'
import { escapeLength, isSpace } from '../../../json/scan.ts'
import { char, closesWith, isQuote, isWord } from '../characters.ts'
import type { EditLog } from '../edit-log.ts'
import type { Frames } from '../frames.ts'
import { roleOfQuote, type StringPlace } from './string-end.ts'
import type { TextWindow } from './text-window.ts'

/** What an escape means, how many characters it has, and how JSON writes it when it is invalid. */
interface Escape {
  readonly length: number
  readonly text: string
  readonly written?: string
}

const known: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

/** Reads the escape whose backslash is at `at`; `more` when the text is too short to decide. */
function readEscape(source: string, at: number): Escape | 'more' {
  const length = escapeLength(source, at)
  if (length < 0) return 'more'
  const next = source.charAt(at + 1)
  if (length === 2) return { length, text: known[next] ?? next }
  if (length === 6) return { length, text: String.fromCharCode(Number.parseInt(source.slice(at + 2, at + 6), 16)) }
  if (next === 'x') return readHexadecimal(source, at)
  const code = next.charCodeAt(0)
  // repair: a quote that needs no escape
  if (isQuote(code)) return { length: 2, text: next, written: next }
  // repair: a backslash at the end of a line
  if (code < 32) return { length: 1, text: '', written: '' }
  // repair: a backslash that escapes nothing is text, as in patterns, paths and formulas
  return { length: 1, text: '\\', written: '\\\\' }
}

/** repair: hexadecimal escapes of Python and JavaScript */
function readHexadecimal(source: string, at: number): Escape | 'more' {
  const digits = source.slice(at + 2, at + 4)
  if (/^[0-9a-fA-F]{2}$/.test(digits)) {
    return { length: 4, text: String.fromCharCode(Number.parseInt(digits, 16)), written: `\\u00${digits}` }
  }
  if (digits.length < 2 && /^[0-9a-fA-F]*$/.test(digits)) return 'more'
  return { length: 1, text: '\\', written: '\\\\' }
}

/** The result of reading a string: it ended, more text is needed, or it contains what no repair may keep. */
type StringStep = 'end' | 'more' | 'refused'

const rightQuote = 0x201d
/** What comes before a quote that opens a quotation, other than white space. */
const opensQuotation: ReadonlySet<number> = new Set([char.openParen, char.openBracket, char.openBrace, char.equals])

/** How the quotes of a string are written. */
type Quoting = 'single' | 'triple' | 'escaped'

/** Reads strings: right ones as they are, others with the changes that make them right. */
export class StringReader {
  /** What the string says so far. */
  text = ''
  place: StringPlace = 'root'
  /** Offset after the opening quote. */
  start = 0
  readonly #window: TextWindow
  readonly #edits: EditLog
  readonly #frames: Frames
  #quote: number = char.quote
  #quoting: Quoting = 'single'
  /** Number of quotes that were taken for text, and the index of the last such change. */
  #innerQuotes = 0
  #lastInner = -1
  /** Whether the last of an odd number of such quotes reads as the end of the string. */
  #mayHaveEnded = false
  /** Index of the change of the opening quote; -1 when it is right. */
  #openEdit = -1

  /** The letters before the string in Python and before the one that opens next, and the index of the change that drops them. */
  #prefix = ''
  #nextPrefix = ''
  #prefixEdit = -1

  constructor(window: TextWindow, edits: EditLog, frames: Frames) {
    this.#window = window
    this.#edits = edits
    this.#frames = frames
  }

  /** repair: the letters before a string in Python */
  takePrefix(letters: string, offset: number): void {
    this.#nextPrefix = letters.toLowerCase()
    this.#prefixEdit = this.#edits.list.length
    this.#edits.add('string-prefix', 'lossless', offset, letters, '')
  }

  /** Reads the opening quote; false when more text is needed to decide how it is written. */
  open(place: StringPlace): boolean {
    const { text, at, ended } = this.#window
    const code = text.charCodeAt(at)
    const escaped = code === char.backslash
    if (!escaped && !ended && text.length - at < 3 && text.charCodeAt(at + 1) === code) return false
    if (!escaped && !ended && text.length - at < 2) return false
    const triple = !escaped && text.charCodeAt(at + 1) === code && text.charCodeAt(at + 2) === code
    this.text = ''
    this.place = place
    this.#quote = escaped ? text.charCodeAt(at + 1) : code
    this.#quoting = escaped ? 'escaped' : triple ? 'triple' : 'single'
    this.#innerQuotes = 0
    this.#prefix = this.#nextPrefix
    this.#nextPrefix = ''
    this.#openEdit = this.#edits.list.length
    this.#takeQuote()
    this.start = this.#window.offset
    return true
  }

  /** Reads on, up to the end of the string or of the text that is there. */
  read(): StringStep {
    const window = this.#window
    const { text } = window
    for (;;) {
      const quote = this.#quote
      const smart = quote > 127
      const from = window.at
      let at = from
      let code = text.charCodeAt(at)
      while (code >= 32 && code !== quote && code !== char.quote && code !== char.backslash && !(smart && closesWith(quote, code))) {
        code = text.charCodeAt(++at)
      }
      if (at > from) {
        this.text += text.slice(from, at)
        window.at = at
      }
      if (at >= text.length) return 'more'
      const step = code === char.backslash ? this.#readEscape() : code < 32 ? this.#readControl(code) : this.#readQuote(code)
      if (step !== 'on') return step
    }
  }

  /** Ends the string `back` characters before the next one, which are read again. */
  retract(back: number): void {
    const window = this.#window
    window.at -= back
    this.#edits.forgetFrom(window.offset)
    this.text = this.text.slice(0, this.text.length - back)
    this.#judgePrefix()
    const raw = (this.#edits.list.at(-1)?.start ?? -1) < window.offset - 2
    if (raw && window.text.charCodeAt(window.at - 1) === rightQuote && this.text.endsWith('”') && !this.text.includes('“')) {
      // repair: opened with a straight quote, closed with a typographic one
      this.text = this.text.slice(0, -1)
      this.#edits.add('quotes', 'guess', window.offset - 1, '”', '"')
    } else this.#edits.add('missing-quote', 'guess', window.offset, '', '"')
  }

  /** repair: a string that goes on in the next one */
  #join(length: number): 'on' {
    const window = this.#window
    const quote = window.text.charCodeAt(window.at + length - 1)
    this.#replace('concatenation', length, '', '')
    this.#quote = quote
    this.#judgePrefix()
    this.#prefix = ''
    this.start = window.offset
    return 'on'
  }

  /** repair: line breaks and other control characters inside a string */
  #readControl(code: number): 'on' | 'refused' {
    if (code === 0) return 'refused'
    const text = String.fromCharCode(code)
    this.#replace('control-character', 1, text, JSON.stringify(text).slice(1, -1))
    return 'on'
  }

  #readEscape(): 'on' | StringStep {
    if (this.#quoting === 'escaped') return this.#readDoubleEscape()
    const { text, at } = this.#window
    if (this.#prefix.includes('r')) return this.#readRaw()
    const read = readEscape(text, at)
    if (read === 'more') return 'more'
    this.#takeEscape(read)
    return 'on'
  }

  /** repair: in a raw string of Python a backslash is text, and so is the quote or backslash after it */
  #readRaw(): 'on' | 'more' {
    const { text, at } = this.#window
    if (at + 1 >= text.length) return 'more'
    const raw = /^\\[\\'"]?/.exec(text.slice(at, at + 2))?.[0] ?? ''
    this.#replace('string-prefix', raw.length, raw, JSON.stringify(raw).slice(1, -1))
    return 'on'
  }

  /** repair: in a text with escaped quotes every backslash of a string is doubled */
  #readDoubleEscape(): 'on' | StringStep {
    const { text, at, ended } = this.#window
    if (text.length - at < 8 && !ended) return 'more'
    const next = text.charCodeAt(at + 1)
    if (closesWith(this.#quote, next)) return this.#end()
    const pair = text.slice(at + 2, at + 4)
    if (next === char.backslash && (pair === '\\\\' || pair === '\\"')) {
      this.#replace('escaped-quotes', 4, pair.slice(1), pair)
      return 'on'
    }
    const doubled = next === char.backslash && text.charCodeAt(at + 2) !== char.backslash ? 1 : 0
    const read = readEscape(text, at + doubled)
    if (read === 'more') return 'more'
    if (doubled === 1) this.#replace('escaped-quotes', 1, '', '')
    this.#takeEscape(read)
    return 'on'
  }

  #takeEscape({ length, text, written }: Escape): void {
    if (written !== undefined) {
      this.#replace('stray-escape', length, text, written)
      return
    }
    this.text += text
    this.#window.at += length
  }

  #readQuote(code: number): 'on' | StringStep {
    const window = this.#window
    if (!closesWith(this.#quote, code)) return this.#keepQuote(code)
    if (this.#quoting === 'escaped') return this.#end()
    if (this.#quoting === 'triple') return this.#readTriple(code)
    const { at } = window
    const role = roleOfQuote({
      place: this.place,
      frames: this.#frames,
      ahead: window.ahead(at),
      rim: window.rim(at),
      behind: window.behind(this.start),
      quoting: this.#innerQuotes % 2 === 1,
    })
    if (role === 'more') return 'more'
    if (role === 'end') return this.#end()
    if (role === 'text') return this.#keepQuote(code)
    if ('skip' in role) return this.#join(role.skip)
    this.retract(role.back)
    return 'end'
  }

  #readTriple(code: number): 'on' | StringStep {
    const { text, at, ended } = this.#window
    if (text.length - at < 3 && !ended) return 'more'
    if (text.charCodeAt(at + 1) === code && text.charCodeAt(at + 2) === code) return this.#end()
    return this.#keepQuote(code)
  }

  /** repair: a quote inside a string */
  #keepQuote(code: number): 'on' {
    const text = String.fromCharCode(code)
    const isDoubtful = this.#quoting === 'single' && closesWith(this.#quote, code) && this.#isBetweenStrings(code)
    if (closesWith(this.#quote, code)) {
      this.#innerQuotes++
      this.#lastInner = code === char.quote ? this.#edits.list.length : -1
    }
    if (code === char.quote) this.#replace('inner-quote', 1, text, '\\"', isDoubtful ? 'guess' : 'lossless')
    else {
      if (isDoubtful) this.#doubt(this.#openEdit)
      this.text += text
      this.#window.at++
    }
    return 'on'
  }

  /** Two strings side by side may be anything, and so may two with something between them: a quote that reads as an end, then one that reads as a start. */
  #isBetweenStrings(code: number): boolean {
    const { text, at, offset } = this.#window
    const before = offset > this.start ? text.charCodeAt(at - 1) : Number.NaN
    const after = text.charCodeAt(at + 1)
    if (this.#quote === code && /^"[ \t]+"/.test(text.slice(at, at + 8))) return true
    if (this.#innerQuotes % 2 === 1) return this.#mayHaveEnded && !isWord(before) && !isSpace(after)
    this.#mayHaveEnded = !isSpace(before) && !opensQuotation.has(before) && !isWord(after)
    return false
  }

  #end(): 'end' {
    // Quotes that come in pairs are a quotation; an odd one makes it a guess where the string ends.
    const odd = this.#innerQuotes % 2 === 1 && this.#quoting === 'single' && this.#quote === char.quote
    if (odd && this.#edits.list[this.#lastInner]?.rule === 'inner-quote') this.#doubt(this.#lastInner)
    this.#judgePrefix()
    this.#takeQuote()
    return 'end'
  }

  /** What the braces of a formatted string stand for is not known. */
  #judgePrefix(): void {
    if (this.#prefix.includes('f') && /[{}]/.test(this.text)) this.#doubt(this.#prefixEdit)
  }

  #doubt(index: number): void {
    const edit = this.#edits.list[index]
    if (edit) this.#edits.list[index] = { ...edit, class: 'guess' }
  }

  /** repair: quotes that are not JSON's */
  #takeQuote(): void {
    const window = this.#window
    const length =
      this.#quoting === 'triple' ? 3 : this.#quoting === 'escaped' && window.text.charCodeAt(window.at) === char.backslash ? 2 : 1
    const before = window.text.slice(window.at, window.at + length)
    if (before !== '"') this.#edits.add(this.#quoting === 'escaped' ? 'escaped-quotes' : 'quotes', 'lossless', window.offset, before, '"')
    window.at += length
  }

  #replace(rule: string, length: number, text: string, written: string, repairClass: RepairClass = 'lossless'): void {
    const window = this.#window
    this.#edits.add(rule, repairClass, window.offset, window.text.slice(window.at, window.at + length), written)
    this.text += text
    window.at += length
  }
}
