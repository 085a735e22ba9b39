import { isDigit } from '../../answer/characters.ts'
import type { TextSpan } from '../../answer/span.ts'
import { isOtherUse, longestLine } from './bracket-use.ts'
import { type CitationStyle, type MarkerBody, type MarkerFault, readCaretBody, readListBody } from './marker-body.ts'
import { ShownCharacters } from './shown-characters.ts'

/** Something that is written like a citation, wherever it is. */
export interface Marker {
  readonly span: TextSpan
  /** Where it was decided: after its closing bracket, or after what keeps it from having one. */
  readonly at: number
  /** As it is written, cut where it is long. */
  readonly text: string
  /** The sources it names; none when it is malformed. */
  readonly numbers: readonly number[]
  readonly fault?: MarkerFault
}

/** Longer bodies are cut, for messages. */
const keptBody = 100
/** In a longer piece of text brackets are searched for. */
const longestChunk = 32
/** A longer list of numbers is none. */
const longestList = 200
/** More of the text before a piece is not kept. */
const mostKept = 4096

const lineFeed = 10
const carriageReturn = 13
const ampersand = 38
const equals = 61
const openBracket = 91
const backslash = 92
const closeBracket = 93
const caret = 94
const dagger = 0x2020
const openLenticular = 0x3010
const closeLenticular = 0x3011

type Form = 'reference' | 'undecided' | 'caret' | 'list' | 'label'

/** Finds markers however the text is chunked; does not decide whether they are in code. */
export class MarkerScanner {
  readonly #emit: (marker: Marker) => void
  readonly #opened: (chunk: string, index: number) => void
  readonly #hasCarets: boolean
  readonly #hasBrackets: boolean
  readonly #hasLenticulars: boolean
  #base = 0
  #start = -1
  #form: Form = 'undecided'
  #closer = closeBracket
  #body = ''
  #bodyLength = 0
  /** Digits at the start of the body: what an unclosed marker has of a number. */
  #digits = 0
  #escaping = false
  /** What is shown of the characters behind the bracket, up to a caret or within a list. */
  #shown = new ShownCharacters()
  /** Whether only signs of emphasis may follow before the closing bracket. */
  #isTrailing = false
  /** The end of the text before the piece that is read, and the line before the bracket that is open. */
  #tail = ''
  #line = ''
  /** Numbers in brackets that are a citation unless something is set to a value there. */
  #candidate: Marker | undefined

  /** `opened` is called for every bracket that may open a marker, before anything after it is read. */
  constructor(
    styles: readonly CitationStyle[],
    emit: (marker: Marker) => void,
    opened: (chunk: string, index: number) => void = () => undefined,
  ) {
    this.#emit = emit
    this.#opened = opened
    this.#hasCarets = styles.includes('caret')
    this.#hasBrackets = styles.includes('bracket')
    this.#hasLenticulars = styles.includes('lenticular')
  }

  /** Where the marker starts that is open; undefined when none is. */
  get open(): number | undefined {
    return this.#candidate?.span.start ?? (this.#start < 0 ? undefined : this.#start)
  }

  /** Takes the next piece of text, from an index on; `base` is the offset of the piece. */
  push(chunk: string, base: number, from = 0): void {
    this.#read(chunk, base, from)
    if (!this.#hasBrackets) return
    this.#tail = chunk.length < mostKept ? this.#tail + chunk : chunk.slice(-longestLine)
    // Cut now and then: to do it for every chunk would copy all of it each time.
    if (this.#tail.length > mostKept) this.#tail = this.#tail.slice(-longestLine)
  }

  #read(chunk: string, base: number, from: number): void {
    this.#base = base
    // To search is many times faster than to look at each character, and prose has few brackets.
    const isPlain =
      chunk.length > longestChunk && chunk.indexOf('\\', from) < 0 && chunk.indexOf('&', from) < 0 && chunk.indexOf('【', from) < 0
    for (let index = from; index < chunk.length; index++) {
      const isIdle = this.#start < 0 && !this.#escaping && this.#candidate === undefined
      if (isPlain && isIdle) {
        index = chunk.indexOf('[', index)
        if (index < 0) return
      }
      const code = chunk.charCodeAt(index)
      if (isIdle && code !== openBracket && code !== backslash && code !== ampersand && code !== openLenticular) continue
      if (this.#candidate !== undefined) this.#follow(this.#candidate, code, base + index + 1)
      const escaped = this.#escaping
      this.#escaping = code === backslash && !escaped
      if (this.#start >= 0) this.#extend(chunk, index, code, escaped)
      else if (!escaped) this.#tryOpen(chunk, index, code)
    }
  }

  /** Ends the text. */
  end(length: number): void {
    if (this.#candidate !== undefined) this.#settle(this.#candidate, length)
    if (this.#start >= 0) this.#giveUp(length)
  }

  /** Reads what follows numbers in brackets. */
  #follow(candidate: Marker, code: number, at: number): void {
    const isSpace = code === 32 && at === candidate.span.end + 1
    if (code === equals) this.#candidate = undefined
    else if (!isSpace) this.#settle(candidate, at)
  }

  #settle(candidate: Marker, at: number): void {
    this.#candidate = undefined
    this.#emit({ ...candidate, at })
  }

  #tryOpen(chunk: string, index: number, code: number): void {
    const isReference = code === ampersand
    if (!isReference && !this.#opens(code)) return
    this.#start = this.#base + index
    if (this.#hasBrackets) this.#line = this.#lineBefore(chunk, index)
    this.#isTrailing = false
    this.#shown.clear()
    if (isReference) {
      this.#form = 'reference'
      this.#shown.take('&')
    } else this.#begin(code)
    this.#opened(chunk, index)
  }

  #opens(code: number): boolean {
    return (code === openBracket && (this.#hasCarets || this.#hasBrackets)) || (code === openLenticular && this.#hasLenticulars)
  }

  #begin(code: number): void {
    const lenticular = code === openLenticular
    this.#form = lenticular ? 'list' : 'undecided'
    this.#closer = lenticular ? closeLenticular : closeBracket
    this.#body = ''
    this.#bodyLength = 0
    this.#digits = 0
  }

  #extend(chunk: string, index: number, code: number, escaped: boolean): void {
    const at = this.#base + index + 1
    const opens = !escaped && this.#opens(code)
    const isBreak = code === lineFeed || code === carriageReturn
    if (opens || isBreak) {
      this.#giveUp(at)
      if (opens) this.#tryOpen(chunk, index, code)
    } else if (this.#form === 'caret') {
      if (code === this.#closer) this.#close(at)
      else this.#addToCaret(chunk.charAt(index), code)
    } else if (this.#form === 'label') {
      if (code === this.#closer) this.#close(at)
    } else if (this.#form === 'list' && code === this.#closer && !this.#shown.isOpen) this.#close(at)
    else {
      for (const char of this.#shown.take(chunk.charAt(index))) this.#show(char, escaped)
      // What ends one may begin another.
      if (this.#start < 0 && !escaped) this.#tryOpen(chunk, index, code)
    }
  }

  /** Takes a character that is shown behind the bracket. */
  #show(char: string, escaped: boolean): void {
    if (this.#start < 0) return
    const code = char.charCodeAt(0)
    if (!escaped && this.#opens(code)) this.#begin(code)
    else if (this.#form === 'reference') this.#start = -1
    else if (this.#form === 'list') this.#addToList(char, code)
    else if (!isEmphasis(char)) this.#decide(code)
  }

  #decide(code: number): void {
    if (code === caret && this.#hasCarets) {
      this.#form = 'caret'
      return
    }
    this.#form = 'list'
    if (isDigit(code) && this.#hasBrackets) this.#addToList(String.fromCharCode(code), code)
    else this.#start = -1
  }

  #addToCaret(char: string, code: number): void {
    if (isDigit(code) && this.#digits === this.#bodyLength) this.#digits++
    this.#bodyLength++
    if (this.#body.length < keptBody) this.#body += char
  }

  #addToList(char: string, code: number): void {
    if (code === dagger && this.#closer === closeLenticular && this.#body !== '') this.#form = 'label'
    else if (isEmphasis(char) && (this.#body !== '' || this.#closer === closeLenticular)) this.#isTrailing = this.#body !== ''
    else if (isListPart(code) && !this.#isTrailing && this.#body.length < longestList) this.#body += char
    else this.#start = -1
  }

  #close(at: number): void {
    const span = { start: this.#start, end: at }
    this.#start = -1
    const body = this.#form === 'caret' ? this.#readCaret() : readListBody(this.#body)
    if (body === undefined) return
    const text = this.#closer === closeLenticular ? `【${this.#body}】` : `${this.#form === 'caret' ? '[^' : '['}${this.#body}]`
    const marker = typeof body === 'string' ? { span, at, text, numbers: [], fault: body } : { span, at, text, numbers: body }
    if (this.#form === 'caret' || this.#closer === closeLenticular) this.#emit(marker)
    else if (!isOtherUse(this.#line, this.#body)) this.#candidate = marker
  }

  /** The line before an index of a piece of text, as far as it is looked at. */
  #lineBefore(chunk: string, index: number): string {
    const text = index >= longestLine ? chunk.slice(index - longestLine, index) : (this.#tail + chunk.slice(0, index)).slice(-longestLine)
    return text.slice(Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1)
  }

  #readCaret(): MarkerBody {
    return this.#digits === this.#bodyLength ? readCaretBody(this.#body) : 'body'
  }

  /** An unclosed `[^` is a malformed marker; other brackets are markers only if closed. */
  #giveUp(at: number): void {
    const start = this.#start
    this.#start = -1
    if (this.#form !== 'caret') return
    const text = `[^${this.#body.slice(0, this.#digits)}`
    this.#emit({ span: { start, end: start + 2 + this.#digits }, at, text, numbers: [], fault: 'open' })
  }
}

/** Digits, comma, semicolon, space and both dashes. */
function isListPart(code: number): boolean {
  return isDigit(code) || code === 44 || code === 59 || code === 32 || code === 45 || code === 0x2013
}

function isEmphasis(char: string): boolean {
  return char === '*' || char === '_' || char === '~'
}
