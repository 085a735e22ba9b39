/** A string that was read, with the offset after it. */
interface ReadString {
  readonly value: string
  readonly end: number
  /** Whether the text ends inside of it. */
  readonly isCut?: boolean
}

const escapes = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['a', '\x07'],
  ['b', '\b'],
  ['f', '\f'],
  ['v', '\v'],
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
  ['\n', ''],
])

/** The longest escape, `\UXXXXXXXX`. */
const longestEscape = 10

/** Reads a Python string literal, plain or raw; undefined for bytes, formatted strings and other text. */
function readPythonString(text: string, start: number, isMarkdown: boolean): ReadString | undefined {
  const prefix = /^[rRuU]?/.exec(text.slice(start, start + 1))?.[0] ?? ''
  const isRaw = prefix.toLowerCase() === 'r'
  const open = start + prefix.length
  const mark = text[open]
  if (mark !== '"' && mark !== "'") return undefined
  const quote = text.startsWith(mark.repeat(3), open) ? mark.repeat(3) : mark
  const pieces: string[] = []
  let at = open + quote.length
  while (at < text.length) {
    if (text.startsWith(quote, at)) return { value: pieces.join(''), end: at + quote.length }
    const char = text[at] as string
    const escaped = char === '\\' ? readEscape(text, at, isRaw, isMarkdown) : undefined
    if (char === '\\' && escaped === undefined && at + longestEscape <= text.length) return undefined
    if (char === '\\' && escaped === undefined) break
    pieces.push(escaped?.value ?? char)
    at = escaped?.end ?? at + 1
  }
  // The last marks may be the start of the three that end it.
  while (quote.length === 3 && pieces.at(-1) === mark) pieces.pop()
  return { value: pieces.join(''), end: text.length, isCut: true }
}

function readEscape(text: string, at: number, isRaw: boolean, isMarkdown: boolean): ReadString | undefined {
  const next = text[at + 1]
  if (next === undefined) return undefined
  if (isRaw) return { value: `\\${next}`, end: at + 2 }
  const simple = escapes.get(next)
  if (simple !== undefined) return { value: simple, end: at + 2 }
  const coded = /^(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{1,3}))/.exec(text.slice(at + 1, at + 10))
  if (coded) {
    const [whole, x, u, long, octal] = coded
    const point = octal === undefined ? Number.parseInt(x ?? u ?? long ?? '', 16) : Number.parseInt(octal, 8)
    return point > 0x10ffff ? undefined : { value: String.fromCodePoint(point), end: at + 1 + whole.length }
  }
  // Python knows no escaped signs but quotes and the backslash; Markdown does.
  if (isMarkdown && /[!-/:-@[-`{-~]/.test(next)) return { value: next, end: at + 2 }
  // Names of characters need a table, and broken codes are errors in Python; other escapes stand for themselves.
  return 'xuUN'.includes(next) ? undefined : { value: `\\${next}`, end: at + 2 }
}

/** Deeper nesting is refused. */
const deepest = 64
/** Longer numbers in hexadecimal, octal or binary are refused. */
const longestInteger = 1000

const number = /(?:0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+|(?:\d+(?:_\d+)*)?(?:\.\d*(?:_\d+)*)?(?:[eE][+-]?\d+)?)/y
const decimal = /^(\d*)(?:\.(\d*))?([eE][+-]?\d+)?$/
/** Markdown escapes underscores. */
const name = /(?:[\p{L}_]|\\_)(?:[\p{L}\p{N}_]|\\_)*(?:\.(?:[\p{L}_]|\\_)(?:[\p{L}\p{N}_]|\\_)*)*/uy
const constants = new Map([
  ['True', 'true'],
  ['False', 'false'],
  ['None', 'null'],
  ['true', 'true'],
  ['false', 'false'],
  ['null', 'null'],
])

/** Words of a comment that may say that a call is not to be made. */
export const denies: RegExp =
  /\b(?:not|never|no|avoid|without|instead|wrong|bad|better|incorrect|example|dangerous|or|if|would|could|should|nicht|nie|niemals|kein\w{0,2}|statt|falsch|besser|beispiel|gefährlich|oder|wenn|würde|könnte|sollte)\b|n['’]t\b/iu

const lineEnd = /[^\S\n]*(?:#[^\n]*)?(?:\n|$)/y

/** Whether nothing but white space and a comment follows on a line. */
export function endsLine(text: string, at: number): boolean {
  lineEnd.lastIndex = at
  return lineEnd.test(text)
}

/** Thrown inside the reader when a text is not Python that it knows; no error, whose stack would cost more than the reading. */
export class NoPython {}

/** Reads Python literals as JSON text; throws NoPython for everything else. */
export class PythonReader {
  readonly text: string
  at: number
  /** Whether the end of the text was met: with more text it could be read otherwise. */
  ranOut = false
  /** Whether a comment may say that a call is not to be made. */
  isAdvised = false
  /** Whether a name has escapes of Markdown, so that the whole text is escaped. */
  isEscaped = false
  /** Where calls end with which a line ends. */
  endOfCalls = 0
  readonly #isMarkdown: boolean

  constructor(text: string, isMarkdown = false, at = 0) {
    this.text = text
    this.at = at
    this.#isMarkdown = isMarkdown
  }

  /** Skips white space and comments. */
  skip(): void {
    for (; this.at < this.text.length; this.at++) {
      if (this.text[this.at] === '#') {
        const end = this.text.indexOf('\n', this.at)
        const next = end < 0 ? this.text.length : end
        this.isAdvised ||= denies.test(this.text.slice(this.at, next))
        this.at = next
      }
      if ((this.text[this.at] ?? '').trim() !== '') return
    }
    this.ranOut = true
  }

  /** Whether a character comes next, after white space. */
  isNext(char: string): boolean {
    this.skip()
    return this.text[this.at] === char
  }

  /** Whether nothing but white space follows. */
  isAtEnd(): boolean {
    this.skip()
    return this.at >= this.text.length
  }

  /** Takes a character when it comes next, after white space. */
  take(char: string): boolean {
    if (!this.isNext(char)) return false
    this.at++
    return true
  }

  /** Reads a name, with dots in it. */
  name(): string {
    this.skip()
    name.lastIndex = this.at
    const found = name.exec(this.text)?.[0]
    if (found !== undefined) this.#pass(found)
    // A backslash at the end may become the escape of an underscore.
    if (this.at === this.text.length - 1 && this.text[this.at] === '\\') throw this.cut()
    if (found === undefined) throw new NoPython()
    if (!found.includes('\\')) return found
    this.isEscaped = true
    return found.replaceAll('\\', '')
  }

  /** Reads a string, complete or not; undefined when something else comes next. */
  string(): ReadString | undefined {
    this.skip()
    const string = readPythonString(this.text, this.at, this.#isMarkdown)
    if (string === undefined) return undefined
    this.at = string.end
    // Two marks may be the start of three.
    this.ranOut ||= string.isCut === true || (string.value === '' && string.end === this.text.length)
    return string
  }

  /** Reads a list of things up to a closer, with commas between them and perhaps one after them; `outer`, which ends the text, closes it as well. */
  list<Item>(closer: string, item: () => Item, outer?: string): Item[] {
    const items: Item[] = []
    while (!this.take(closer)) {
      if (items.length > 0 && outer !== undefined && this.isNext(outer) && this.text.trimEnd().length === this.at + 1) {
        this.ranOut = true
        return items
      }
      if (items.length > 0 && !this.#comma()) throw new NoPython()
      if (items.length > 0 && this.take(closer)) return items
      items.push(item())
    }
    return items
  }

  /** Reads a literal; returns it as JSON. */
  value(depth = 0): string {
    if (depth > deepest) throw new NoPython()
    const inner = (): string => this.value(depth + 1)
    if (this.take('[')) return `[${this.list(']', inner).join(',')}]`
    if (this.take('(')) return this.#tuple(inner)
    if (this.take('{')) return `{${this.list('}', () => this.#entry(inner)).join(',')}}`
    const string = this.#string()
    if (string !== undefined) return JSON.stringify(string)
    return this.#number() ?? this.#constant()
  }

  #pass(found: string): void {
    this.at += found.length
    // What is last may still grow: `1e+` and `a.` go on with what follows.
    this.ranOut ||= this.at + 2 >= this.text.length
  }

  #string(): string | undefined {
    const string = this.string()
    if (string?.isCut) throw new NoPython()
    return string?.value
  }

  /** What to throw where more text could be read otherwise. */
  cut(): NoPython {
    this.ranOut = true
    return new NoPython()
  }

  #comma(): boolean {
    return this.take(',')
  }

  /** Brackets around one value without a comma are only brackets. */
  #tuple(inner: () => string): string {
    const start = this.at
    const items = this.list(')', inner)
    const hasComma = items.length !== 1 || /,\s*\)$/.test(this.text.slice(start, this.at))
    return hasComma ? `[${items.join(',')}]` : (items[0] ?? '[]')
  }

  #entry(inner: () => string): string {
    this.skip()
    const key = this.#string()
    if (key === undefined || !this.take(':')) throw new NoPython()
    return `${JSON.stringify(key)}:${inner()}`
  }

  #number(): string | undefined {
    const sign = this.take('-') ? '-' : this.take('+') ? '+' : ''
    number.lastIndex = this.at
    const found = number.exec(this.text)?.[0] ?? ''
    if (!/\d/.test(found)) {
      if (this.at + found.length >= this.text.length) throw this.cut()
      if (sign !== '') throw new NoPython()
      return undefined
    }
    this.#pass(found)
    // A letter after it makes it complex, or no number at all.
    if (/[\w.]/.test(this.text[this.at] ?? '')) throw new NoPython()
    return `${sign === '-' ? '-' : ''}${jsonNumber(found.replaceAll('_', ''))}`
  }

  #constant(): string {
    const word = this.name()
    const found = constants.get(word)
    if (found !== undefined) return found
    // At the end, it may become one, or the prefix of a string.
    this.ranOut &&= /^[rRuU]$/.test(word) || [...constants.keys()].some((one) => one.startsWith(word))
    throw new NoPython()
  }
}

/** The digits stay as they are; only what JSON does not allow around them changes. */
function jsonNumber(text: string): string {
  if (/^0[xXoObB]/.test(text)) {
    // To write a long one in decimals takes more than linear time.
    if (text.length > longestInteger) throw new NoPython()
    return String(BigInt(text))
  }
  const [, whole = '', fraction, exponent = ''] = decimal.exec(text) ?? []
  // Python refuses 007 as well.
  if (/^0\d/.test(whole) && fraction === undefined) throw new NoPython()
  const digits = whole.replace(/^0+(?=\d)/, '') || '0'
  return `${digits}${fraction === undefined ? '' : `.${fraction || '0'}`}${exponent}`
}
