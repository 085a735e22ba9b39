import { endOf, isDigit, isNamePart, isNumberPart, isPaired, isSpace, type Line, quotes, readString, type Token } from './tokens.ts'
import type { Vocabulary } from './vocabulary.ts'
import { arityFault, type LineFault, quoted, unknownCall } from './wording.ts'

type Piece = Pick<Token, 'start' | 'end'>

/** What an open bracket holds. */
interface Bracket {
  /** Whether it holds the arguments of a call, which may be any text. */
  readonly isCall: boolean
  /** The function of the program that it calls, and where its name starts. */
  readonly called?: { readonly name: string; readonly start: number }
  commas: number
  isEmpty: boolean
  /** Whether the current argument has begun. */
  hasBegun: boolean
  /** Whether the current argument is SQL or a URL, whose calls are not those of AVAP. */
  isForeign: boolean
}

const openers = new Set(['(', '[', '{'])
const closers = new Set([')', ']', '}'])
/** Words of expressions that come before a bracket without calling anything. */
const words = new Set(['and', 'or', 'in', 'is', 'if', 'else', 'not', 'for', 'lambda'])
const sqlWords = new Set(
  'select insert update delete create alter drop truncate with where having order group set values from case'.split(' '),
)
const numberForm = /^(?:0[xX][\da-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|[\d_]*(?:\.[\d_]*)?(?:[eE]\d+)?[jJ]?)$/

/** The first wrong call, name or number of an expression, or inside the brackets of a call, however deeply nested. */
export function nestedFault(line: Line, piece: Piece, vocabulary: Vocabulary, isExpression: boolean): LineFault | undefined {
  return new NestedCalls(line, piece.end, vocabulary, isExpression).read(piece.start)
}

class NestedCalls {
  readonly #line: Line
  readonly #text: string
  readonly #end: number
  readonly #vocabulary: Vocabulary
  readonly #open: Bracket[]
  #at = 0
  /** The last character that was not white space. */
  #previous = ''

  constructor(line: Line, end: number, vocabulary: Vocabulary, isExpression: boolean) {
    this.#line = line
    this.#text = line.text
    this.#end = end
    this.#vocabulary = vocabulary
    this.#open = [newBracket(!isExpression)]
  }

  read(start: number): LineFault | undefined {
    const text = this.#text
    for (this.#at = start; this.#at < this.#end; ) {
      const at = this.#at
      const character = text.charAt(at)
      this.#at++
      if (isSpace(character)) continue
      if (character === '/' && text.charAt(at + 1) === '*' && at + 2 <= this.#line.lastComment) {
        this.#at = text.indexOf('*/', at + 2) + 2
        continue
      }
      const top = this.#open.at(-1) as Bracket
      const fault = closers.has(character) ? this.#close() : this.#take(at, character, top)
      if (fault !== undefined) return fault
      this.#previous = text.charAt(this.#at - 1)
    }
    return undefined
  }

  #close(): LineFault | undefined {
    const closed = this.#open.length > 1 ? this.#open.pop() : undefined
    if (closed?.called === undefined) return undefined
    const { name, start } = closed.called
    return arityFault({ start, end: this.#at }, name, this.#vocabulary.functions.get(name) ?? 0, closed.isEmpty ? 0 : closed.commas + 1)
  }

  #take(at: number, character: string, top: Bracket): LineFault | undefined {
    const fault = character === ',' ? undefined : this.#takeContent(at, character, top)
    if (character === ',') top.commas++
    top.isEmpty = false
    top.hasBegun = character !== ','
    top.isForeign &&= top.hasBegun
    return fault
  }

  #takeContent(at: number, character: string, top: Bracket): LineFault | undefined {
    if (openers.has(character)) this.#open.push(newBracket(character === '(' && isValueEnd(this.#previous), top.isForeign))
    else if (character === '\\' && isPaired(this.#text.charAt(at + 1))) this.#at++
    else if (quotes.has(character)) return this.#takeString(at, character)
    else if (isDigit(character) || (character === '.' && isDigit(this.#text.charAt(at + 1)) && !isValueEnd(this.#previous)))
      return this.#takeNumber(at, top)
    else if (isNamePart(character)) return this.#takeName(at, top)
    else if (this.#text.startsWith('=>', at) && isValueEnd(this.#previous) && !top.isForeign) return arrow(at)
    else if (this.#text.startsWith('://', at)) top.isForeign = true
    return undefined
  }

  /** Reads what a template puts in; other strings hold no code. */
  #takeString(at: number, quote: string): LineFault | undefined {
    const end = readString(this.#text, at).end
    this.#at = end
    if (quote !== '`') return undefined
    for (let close = at, hole = this.#text.indexOf('${', at); hole >= 0 && hole < end; hole = this.#text.indexOf('${', close)) {
      close = this.#text.indexOf('}', hole)
      if (close < 0 || close >= end) return undefined
      const piece = { start: hole + 2, end: close }
      if (this.#text.slice(piece.start, close).trim() === '') return nameless({ start: hole, end: close + 1 }, `$\{}`)
      const fault = nestedFault(this.#line, piece, this.#vocabulary, true)
      if (fault !== undefined) return fault
    }
    return undefined
  }

  #takeNumber(at: number, { isCall }: Bracket): LineFault | undefined {
    const text = this.#text
    const end = endOf(text, at, isNumberPart)
    this.#at = end
    // The sign of an exponent is an operator.
    const written = text.slice(at, end) + (/[eE]$/.test(text.charAt(end - 1)) && /^[-+]\d/.test(text.slice(end, end + 2)) ? '0' : '')
    if (isCall || numberForm.test(written)) return undefined
    return { start: at, end, message: `unexpected number ${quoted(text.slice(at, end))} — expected digits without letters` }
  }

  #takeName(at: number, top: Bracket): LineFault | undefined {
    const text = this.#text
    const end = endOf(text, at, isNamePart)
    this.#at = end
    if (this.#previous === '.' || top.isForeign) return undefined
    const name = text.slice(at, end)
    if (top.isCall && !top.hasBegun && sqlWords.has(name.toLowerCase()) && isSpace(text.charAt(end) || '(')) {
      top.isForeign = true
      return undefined
    }
    const callee = endOfPath(text, end)
    const group = endOf(text, callee, isSpace)
    const isCall = group < this.#end && text.charAt(group) === '('
    if (isCall && callee > end && this.#vocabulary.isForeignRoot(name)) {
      const construct = quoted(`${text.slice(at, Math.min(callee, at + 100))}(...)`)
      const { required = 'AVAP command', suggestion } = this.#vocabulary.construct(name) ?? {}
      const message = `unexpected construct ${construct} — ${required} required`
      return { start: at, end: group + 1, message, ...(suggestion === undefined ? {} : { suggestion }) }
    }
    const isWhole = !top.hasBegun && callee === end && (group >= this.#end || /[,)]/.test(text.charAt(group)))
    if (/^\$+\d*$/.test(name) && (isWhole || !top.isCall)) return nameless({ start: at, end }, name)
    if (!isCall || callee > end || words.has(name)) return undefined
    if (!this.#vocabulary.functions.has(name)) {
      const unknown = this.#vocabulary.unknownNested(name)
      return unknown && { start: at, end, ...unknownCall(name, unknown) }
    }
    this.#open.push({ ...newBracket(true), called: { name, start: at } })
    this.#at = group + 1
    return undefined
  }
}

function newBracket(isCall: boolean, isForeign = false): Bracket {
  return { isCall, commas: 0, isEmpty: true, hasBegun: false, isForeign }
}

/** A function of JavaScript. */
function arrow(start: number): LineFault {
  const message = `unexpected construct '=>' — AVAP function syntax required`
  return { start, end: start + 2, message, suggestion: 'function name(a, b) {' }
}

function nameless(piece: Piece, written: string): LineFault {
  return { ...piece, message: `${quoted(written)} has no name — expected '$name'` }
}

/** Whether a value ends with a character, so that a bracket after it holds arguments. */
function isValueEnd(previous: string): boolean {
  return previous === ')' || previous === ']' || (previous !== '' && isNamePart(previous))
}

/** Where the members of a name end, such as those of `fmt.Println`. */
function endOfPath(text: string, from: number): number {
  let at = from
  while (text.charAt(at) === '.' && isNamePart(text.charAt(at + 1)) && !isDigit(text.charAt(at + 1))) at = endOf(text, at + 1, isNamePart)
  return at
}
