import type { Answer } from '../../answer/answer.ts'
import { hasVisible, isDigit } from '../../answer/characters.ts'
import type { TextSpan } from '../../answer/span.ts'
import { readMarkdownReference, references } from '../shared/character-reference.ts'
import { RewrittenText } from '../shared/rewritten-text.ts'
import { isOtherUse, longestLine } from './bracket-use.ts'
import { type CitationStyle, type MarkerFault, readCaretBody, readListBody, shownBody } from './marker-body.ts'

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
const semicolon = 59
const equals = 61
const openBracket = 91
const backslash = 92
const closeBracket = 93
const caret = 94
const dagger = 0x2020
const openLenticular = 0x3010
const closeLenticular = 0x3011

/** Where a marker may open, or what follows is escaped. */
const openers = /[[\u3010\\&]/g

/** What follows the `&` of a bracket, where it has come already. */
const inReference = /^[#l]?$/

/** `reference`: what may be a reference to a bracket; `hidden`: a body that may show something else than is written. */
type Form = 'reference' | 'list' | 'label' | 'caret' | 'hidden'

/** Finds markers however the text is chunked; does not decide whether they are in code. */
export class MarkerScanner {
  readonly #emit: (marker: Marker) => void
  readonly #opened: (chunk: string, index: number) => void
  readonly #hasCarets: boolean
  readonly #hasBrackets: boolean
  readonly #hasLenticulars: boolean
  #base = 0
  #start = -1
  #form: Form = 'list'
  #closer = closeBracket
  /** What is behind the bracket, and where that begins. */
  #body = ''
  #behind = 0
  #escaping = false
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

  /** Takes the next piece of text, which starts at the offset `base`. */
  push(chunk: string, base: number): void {
    this.#base = base
    this.#read(chunk)
    if (!this.#hasBrackets) return
    this.#tail = chunk.length < mostKept ? this.#tail + chunk : chunk.slice(-longestLine)
    // Cut now and then: to do it for every chunk would copy all of it each time.
    if (this.#tail.length > mostKept) this.#tail = this.#tail.slice(-longestLine)
  }

  #read(chunk: string): void {
    for (let index = 0; index < chunk.length; index++) {
      const isIdle = this.#start < 0 && !this.#escaping && this.#candidate === undefined
      // To search is many times faster than to look at each character, and prose has few brackets.
      if (isIdle && chunk.length > longestChunk) {
        openers.lastIndex = index
        index = openers.exec(chunk)?.index ?? chunk.length
        if (index === chunk.length) return
      }
      const code = chunk.charCodeAt(index)
      if (isIdle && code !== openBracket && code !== backslash && code !== ampersand && code !== openLenticular) continue
      if (this.#candidate !== undefined) this.#follow(this.#candidate, code, this.#base + index + 1)
      const escaped = this.#escaping
      this.#escaping = code === backslash && !escaped
      if (this.#start >= 0) this.#extend(chunk, index, code, escaped)
      else if (!escaped && (code === ampersand ? inReference.test(chunk.charAt(index + 1)) : this.#opens(code)))
        this.#open(chunk, index, code)
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

  #opens(code: number): boolean {
    return (code === openBracket && (this.#hasCarets || this.#hasBrackets)) || (code === openLenticular && this.#hasLenticulars)
  }

  #open(chunk: string, index: number, code: number): void {
    this.#start = this.#base + index
    if (this.#hasBrackets) this.#line = this.#lineBefore(chunk, index)
    if (code === ampersand) {
      this.#form = 'reference'
      this.#body = '&'
    } else this.#begin(code, this.#start + 1)
    this.#opened(chunk, index)
  }

  #begin(code: number, behind: number): void {
    this.#form = 'list'
    this.#closer = code === openLenticular ? closeLenticular : closeBracket
    this.#body = ''
    this.#behind = behind
  }

  #extend(chunk: string, index: number, code: number, escaped: boolean): void {
    const at = this.#base + index + 1
    const opens = !escaped && (this.#opens(code) || (code === ampersand && this.#form === 'reference'))
    if (opens || code === lineFeed || code === carriageReturn) {
      this.#giveUp(at)
      if (opens) this.#open(chunk, index, code)
    } else if (this.#form === 'reference') this.#refer(chunk.charAt(index), code, at)
    else if (code === this.#closer) this.#close(at)
    else if (this.#form === 'list') this.#addToList(chunk.charAt(index), code)
    else if (this.#form === 'hidden' || (this.#form === 'caret' && this.#body.length <= keptBody)) this.#body += chunk.charAt(index)
  }

  /** Reads what may be a reference to a bracket. */
  #refer(char: string, code: number, at: number): void {
    this.#body += char
    const shown = code === semicolon ? new RewrittenText(this.#body, references, readMarkdownReference).plain.charCodeAt(0) : 0
    if (this.#opens(shown)) this.#begin(shown, at)
    else if (!/^&[#0-9a-zA-Z]{1,9}$/.test(this.#body)) this.#start = -1
  }

  #addToList(char: string, code: number): void {
    const isFirst = this.#body === ''
    const isBracket = this.#closer === closeBracket
    if (code === dagger && !isBracket && !isFirst) {
      this.#form = 'label'
      return
    }
    const isPart = isBracket && isFirst ? this.#hasBrackets && isDigit(code) : isListPart(code) && this.#body.length < longestList
    if (code === caret && isBracket && isFirst && this.#hasCarets) this.#form = 'caret'
    else if (!isPart && mayHide(char)) this.#form = 'hidden'
    else if (!isPart) this.#start = -1
    this.#body += char
  }

  #close(at: number): void {
    const span = { start: this.#start, end: at }
    this.#start = -1
    const isLenticular = this.#closer === closeLenticular
    const shown = this.#shown()
    const isCaret = this.#isCaret(shown)
    const body = isCaret ? readCaretBody(shown.slice(1)) : readListBody(isLenticular ? (shown.split('†', 1)[0] ?? '') : shown)
    if (body === undefined) return
    const written = this.#body.slice(0, longestList)
    const text = isLenticular ? `【${written}】` : `[${written}]`
    const marker = typeof body === 'string' ? { span, at, text, numbers: [], fault: body } : { span, at, text, numbers: body }
    if (isCaret || isLenticular) this.#emit(marker)
    else if (!isOtherUse(this.#line, shown)) this.#candidate = marker
  }

  /** The body as a renderer shows it. */
  #shown(): string {
    return this.#form === 'hidden' ? shownBody(this.#body) : this.#body
  }

  #isCaret(shown: string): boolean {
    return shown.startsWith('^') && this.#hasCarets && this.#closer === closeBracket
  }

  /** The line before an index of a piece of text, as far as it is looked at. */
  #lineBefore(chunk: string, index: number): string {
    const text = index >= longestLine ? chunk.slice(index - longestLine, index) : (this.#tail + chunk.slice(0, index)).slice(-longestLine)
    return text.slice(Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1)
  }

  /** An unclosed `[^` is a malformed marker; other brackets are markers only if closed. */
  #giveUp(at: number): void {
    const start = this.#start
    this.#start = -1
    if ((this.#form !== 'caret' && this.#form !== 'hidden') || !this.#isCaret(this.#shown())) return
    const body = this.#form === 'hidden' ? this.#body : (/^\^[0-9]*/.exec(this.#body)?.[0] ?? '')
    const text = `[${body.slice(0, longestList)}`
    this.#emit({ span: { start, end: this.#behind + body.length }, at, text, numbers: [], fault: 'open' })
  }
}

/** Digits, comma, semicolon, space and both dashes. */
function isListPart(code: number): boolean {
  return isDigit(code) || code === 44 || code === 59 || code === 32 || code === 45 || code === 0x2013
}

/** Whether a character behind a bracket may be a sign of something else, or show nothing. */
function mayHide(char: string): boolean {
  return '*_~\\&'.includes(char) || (char !== ' ' && !hasVisible(char))
}

/** The markers of an answer outside of reasoning, code blocks and inline code, in text order. */
export function findMarkers(answer: Answer, styles: readonly CitationStyle[]): Marker[] {
  const found: Marker[] = []
  const scanner = new MarkerScanner(styles, (marker) => found.push(marker))
  scanner.push(answer.text.slice(answer.bodyStart), answer.bodyStart)
  scanner.end(answer.text.length)
  return found.filter(({ span }) => !answer.inCode(span.start))
}

/** Whether a marker supports the text before it: it is well-formed and names only sources that exist. */
export function supports({ numbers, fault }: Pick<Marker, 'numbers' | 'fault'>, sources = Number.POSITIVE_INFINITY): boolean {
  return fault === undefined && numbers.every((number) => number <= sources)
}
