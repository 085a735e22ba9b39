import { LineSplitter } from '../../../answer/lines.ts'
import { endOfText, isClosing, isOpening, JsonWalker, quote } from '../../../json/json-walker.ts'
import { couldBeScalar, isJsonLanguage } from '../../shared/locate-json.ts'
import { valueStart } from '../../shared/value-start.ts'

/** A part of an answer of JSON lines: what is meant as one value, a line of prose, the mark of a fence, or an empty line. */
export interface LineItem {
  readonly kind: 'value' | 'prose' | 'fence' | 'blank'
  readonly text: string
  /** Where its text begins, and where its first line does. */
  readonly start: number
  readonly from: number
  /** Where the next line begins. */
  readonly next: number
  /** Its first and last line, from 1. */
  readonly line: number
  readonly lastLine: number
  /** How much of the answer shows where it ends: with the next line, where it lacks brackets. */
  readonly known: number
  /** Whether the answer ends with it, so that it may be cut off. */
  readonly isLast: boolean
}

/** A value that goes on in the next line, as far as its brackets say. */
interface OpenValue {
  readonly start: number
  readonly from: number
  readonly line: number
  end: number
  next: number
  lastLine: number
  /** The brackets that are open, and what the last part begins with. */
  readonly brackets: string[]
  last: string
  /** Whether a line ends in a string, which no other one goes on with. */
  isBroken: boolean
}

/** Languages of fences around JSON lines, beside those around one value. */
const languages = new Set(['jsonl', 'ndjson', 'jsonlines', 'json-lines'])
const fenceLine = /^(`{3,}|~{3,})(?![`~])([^`]*)$/

/** Cuts the body of an answer into its items, however it comes; linear. */
export class LineItems {
  readonly #take: (item: LineItem) => void
  readonly #lines: LineSplitter
  #line: number
  /** The text from the first line on that is not given yet. */
  #kept = ''
  #keptFrom: number
  #open: OpenValue | undefined
  #fence: { readonly mark: string; readonly language: string } | undefined
  /** Where the first line begins that is not given. */
  #given = 0
  #isEnd = false
  /** Whether the line that is read lacks its break. */
  #isCut = false

  /** `start` is where the body begins, in that line of the answer. */
  constructor(take: (item: LineItem) => void, start: number, line: number) {
    this.#take = take
    this.#keptFrom = start
    this.#line = line
    this.#lines = new LineSplitter((text, from, next) => this.#takeLine(text, from, next), start)
  }

  /** Takes the next piece of the body. */
  push(piece: string): void {
    this.#kept += piece
    this.#lines.push(piece)
    const given = this.#open?.from ?? this.#given
    if (given > this.#keptFrom) {
      this.#kept = this.#kept.slice(given - this.#keptFrom)
      this.#keptFrom = given
    }
  }

  /** Takes the last line, which has no line break. */
  end(): void {
    this.#isEnd = true
    this.#lines.end()
    this.#close(this.#given, true)
  }

  #takeLine(line: string, from: number, next: number): void {
    const number = this.#line++
    this.#isCut = this.#isEnd && next === from + line.length
    const text = line.trim()
    const start = from + line.length - line.trimStart().length
    const one = { from, start, end: start + text.length, next, line: number, lastLine: number }
    if (text === '' && this.#open) return
    this.#given = next
    const fence = fenceLine.exec(text)
    if (fence) this.#takeFence(fence, one)
    else if (this.#open && goesOn(this.#open, text)) this.#read(Object.assign(this.#open, { end: one.end, next, lastLine: number }), text)
    else {
      this.#close(next)
      if (text === '') this.#give('blank', one)
      else if (this.#isValue(text)) this.#read({ ...one, brackets: [], last: '', isBroken: false }, text)
      else this.#give('prose', one)
    }
  }

  #takeFence(
    [, mark = '', info = '']: RegExpExecArray,
    one: Pick<OpenValue, 'from' | 'start' | 'end' | 'next' | 'line' | 'lastLine'>,
  ): void {
    this.#close(one.next)
    const open = this.#fence
    const [language = ''] = info.trim().toLowerCase().split(/\s/, 1)
    const closes = open !== undefined && language === '' && mark.startsWith(open.mark)
    const isCode = open !== undefined && !isJsonFence(open.language)
    if (closes) this.#fence = undefined
    // What looks like a fence in a program is a line of it.
    else if (!isCode) this.#fence = { mark, language }
    this.#give(isCode || (!closes && !isJsonFence(language)) ? 'prose' : 'fence', one)
  }

  /** A fence that is tagged as JSON holds nothing but values, one without a tag also what a program wrote, and any other none. */
  #isValue(line: string): boolean {
    if (this.#fence === undefined || this.#fence.language === '') return looksLikeValue(line)
    return isJsonFence(this.#fence.language)
  }

  /** Follows the brackets of a value, and gives it when they are closed. */
  #read(open: OpenValue, line: string): void {
    this.#open = open
    const walker = new JsonWalker(line)
    for (let code = walker.next(); code !== endOfText; code = walker.next()) {
      open.last = line.charAt(walker.start)
      if (code === quote) open.isBroken = walker.end > line.length
      else if (isOpening(code)) open.brackets.push(open.last)
      else if (isClosing(code)) open.brackets.pop()
    }
    if (open.brackets.length === 0 || open.isBroken) this.#close(open.next, this.#isCut)
  }

  #close(known: number, isLast = false): void {
    const open = this.#open
    this.#open = undefined
    if (open) this.#give('value', open, known, isLast)
  }

  #give(
    kind: LineItem['kind'],
    { start, end, from, next, line, lastLine }: Omit<OpenValue, 'brackets' | 'last' | 'isBroken'>,
    known = next,
    isLast = false,
  ): void {
    const text = this.#kept.slice(start - this.#keptFrom, end - this.#keptFrom)
    this.#take({ kind, text, start, from, next, line, lastLine, known, isLast })
  }
}

function isJsonFence(language: string): boolean {
  return isJsonLanguage(language) || languages.has(language)
}

/** Whether a line may be the next one of a value that is written over several. */
function goesOn({ brackets, last }: OpenValue, line: string): boolean {
  if (last === ':') return true
  if (!'{[,'.includes(last)) return /^[,:}\]]/.test(line)
  // A name comes next, where nothing closes the object.
  return brackets.at(-1) === '[' || /^["'“}\w/]/.test(line)
}

/** Whether a line outside of fences is meant as a value: prose is none, nor is a mark such as `[Note]`. */
function looksLikeValue(line: string): boolean {
  if (!/^[[{]/.test(line)) return couldBeScalar(line)
  return valueStart(line, 0).kind !== 'none' || /^[[{][\s[{\]},\d.eE+-]*$/.test(line)
}

/** The items of a whole text. */
export function readLineItems(text: string, bodyStart: number, line: number): readonly LineItem[] {
  const items: LineItem[] = []
  const reader = new LineItems((item) => items.push(item), bodyStart, line)
  reader.push(text.slice(bodyStart))
  reader.end()
  return items
}
