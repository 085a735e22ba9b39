import type { ToolCall } from '../../../answer/tool-calls.ts'
import { numberAt } from '../../../json/scan.ts'
import type { CallableTools } from './callable-tools.ts'

/** Reads calls up to the end of the text: `name(a=1)`, one after the other or in a list, each perhaps in quotes; undefined when anything else is there. */
export function readPythonCalls(text: string, tools: CallableTools): readonly ToolCall[] | undefined {
  return read(new PythonReader(text), (reader) => reader.calls(tools))
}

/** Where the last line of calls ends that a text begins with; 0 without any. */
export function endOfPythonCalls(text: string, tools: CallableTools): number {
  const reader = new PythonReader(text)
  read(reader, () => reader.calls(tools))
  return reader.endOfCalls
}

/** Whether calls in Python form may begin with a text: with it, or with a text that goes on from it. */
export function mayBePythonCalls(text: string, tools: CallableTools): boolean {
  const reader = new PythonReader(text)
  return read(reader, () => reader.calls(tools)) !== undefined || reader.ranOut
}

/** Reads a text that is one list or dictionary of Python; returns it as JSON. */
export function readPythonValue(text: string): string | undefined {
  return read(new PythonReader(text), (reader) => reader.wholeValue())
}

/** Whether a list or dictionary of Python may begin with a text. */
export function mayBePythonValue(text: string): boolean {
  const reader = new PythonReader(text)
  return read(reader, () => reader.wholeValue()) !== undefined || reader.ranOut
}

const lineEnd = /[^\S\n]*(?:\n|$)/y

/** Whether nothing but white space follows on a line. */
export function endsLine(text: string, at: number): boolean {
  lineEnd.lastIndex = at
  return lineEnd.test(text)
}

function read<Result>(reader: PythonReader, work: (reader: PythonReader) => Result): Result | undefined {
  try {
    return work(reader)
  } catch (error) {
    if (error instanceof NoPython) return undefined
    throw error
  }
}

/** Thrown inside the reader when a text is not Python that it knows; no error, whose stack would cost more than the reading. */
class NoPython {}

/** Deeper nesting is refused. */
const deepest = 64
/** Markdown escapes underscores. */
const namePattern = /(?:[\p{L}_]|\\_)(?:[\p{L}\p{N}_]|\\_)*(?:\.(?:[\p{L}_]|\\_)(?:[\p{L}\p{N}_]|\\_)*)*/uy
const escapes = /\\(?:["'\\]|([ntr])|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2}))/y
const controls = { n: '\n', t: '\t', r: '\r' }
/** The longest escape, `\uXXXX`. */
const longestEscape = 6
const constants = new Map([
  ['True', 'true'],
  ['False', 'false'],
  ['None', 'null'],
  ['true', 'true'],
  ['false', 'false'],
  ['null', 'null'],
])

/** Reads calls, and literals as JSON text; throws NoPython for everything else. */
class PythonReader {
  readonly #text: string
  #at = 0
  /** Whether the end of the text was met: with more text it could be read otherwise. */
  ranOut = false
  /** Where calls end with which a line ends. */
  endOfCalls = 0

  constructor(text: string) {
    this.#text = text
  }

  wholeValue(): string {
    const value = this.#value(0)
    if (!this.#isAtEnd()) throw new NoPython()
    return value
  }

  calls(tools: CallableTools, isQuoted = false): ToolCall[] {
    const calls: ToolCall[] = []
    const one = (): ToolCall[] => (isQuoted ? undefined : this.#quotedCalls(tools)) ?? [this.#call(tools)]
    while (!this.#isAtEnd()) {
      for (const call of this.#take('[') ? this.#list(']', one).flat() : one()) calls.push(call)
      const end = this.#at
      // What ends with a comma was cut off.
      if (this.#take(',') && this.#isAtEnd()) throw new NoPython()
      const behind = this.#take(';') ? this.#at : end
      if (endsLine(this.#text, behind)) this.endOfCalls = behind
    }
    if (calls.length === 0) throw new NoPython()
    return calls
  }

  #quotedCalls(tools: CallableTools): ToolCall[] | undefined {
    const string = this.#string()
    if (string === undefined) return undefined
    const inner = new PythonReader(string.value)
    const calls = read(inner, () => inner.calls(tools, true))
    if (string.isCut) this.ranOut = calls !== undefined || inner.ranOut
    if (calls === undefined || string.isCut) throw new NoPython()
    return calls
  }

  #call(tools: CallableTools): ToolCall {
    const name = this.#name()
    const isOffered = tools.find(name) !== undefined
    // For an incomplete name, the names of the tools decide whether it may become one.
    if (!isOffered) this.ranOut &&= tools.mayBegin(name)
    if (!isOffered || !this.#take('(')) throw new NoPython()
    const given = this.#list(')', () => this.#argument())
    if (new Set(given.map(([key]) => key)).size < given.length) throw new NoPython()
    return { name, arguments: `{${given.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}` }
  }

  #argument(): readonly [key: string, value: string] {
    const key = this.#name()
    if (key.includes('.') || !this.#take('=')) throw new NoPython()
    return [key, this.#value(0)]
  }

  /** Reads a literal; returns it as JSON. */
  #value(depth: number): string {
    if (depth > deepest) throw new NoPython()
    const inner = (): string => this.#value(depth + 1)
    if (this.#take('[')) return `[${this.#list(']', inner).join(',')}]`
    if (this.#take('{')) return `{${this.#list('}', () => this.#entry(inner)).join(',')}}`
    if (this.#take('(')) return this.#tuple(inner)
    const string = this.#string()
    if (string?.isCut) throw new NoPython()
    return string ? JSON.stringify(string.value) : (this.#number() ?? this.#constant())
  }

  #entry(inner: () => string): string {
    const key = this.#string()
    if (key === undefined || key.isCut || !this.#take(':')) throw new NoPython()
    return `${JSON.stringify(key.value)}:${inner()}`
  }

  #tuple(inner: () => string): string {
    const items = this.#list(')', inner)
    // Only a comma tells a tuple of one value from brackets around it.
    if (items.length === 1) throw new NoPython()
    return `[${items.join(',')}]`
  }

  /** Reads a list of things up to a closer, with commas between them and perhaps one after them. */
  #list<Item>(closer: string, item: () => Item): Item[] {
    const items: Item[] = []
    while (!this.#take(closer)) {
      if (items.length > 0 && !this.#take(',')) throw new NoPython()
      if (items.length > 0 && this.#take(closer)) break
      items.push(item())
    }
    return items
  }

  #name(): string {
    this.#skip()
    namePattern.lastIndex = this.#at
    const found = namePattern.exec(this.#text)?.[0]
    if (found !== undefined) this.#pass(found)
    // A backslash at the end may become the escape of an underscore.
    if (this.#at === this.#text.length - 1 && this.#text[this.#at] === '\\') this.ranOut = true
    if (found === undefined) throw new NoPython()
    return found.replaceAll('\\', '')
  }

  /** Reads a string, complete or not; undefined when something else comes next. An escape that it does not know may be one of Markdown. */
  #string(): { readonly value: string; readonly isCut: boolean } | undefined {
    this.#skip()
    const text = this.#text
    const quote = text[this.#at]
    if (quote !== '"' && quote !== "'") return undefined
    const pieces: string[] = []
    let from = ++this.#at
    for (; this.#at < text.length && text[this.#at] !== quote; this.#at++) {
      if (text[this.#at] !== '\\') continue
      escapes.lastIndex = this.#at
      const [found, control, ...codes] = escapes.exec(text) ?? []
      if (found === undefined && this.#at + longestEscape > text.length) this.ranOut = true
      if (found === undefined) throw new NoPython()
      const code = codes.find((one) => one !== undefined)
      const meant = code === undefined ? found[1] : String.fromCharCode(Number.parseInt(code, 16))
      pieces.push(text.slice(from, this.#at), control === undefined ? (meant as string) : controls[control as keyof typeof controls])
      from = this.#at + found.length
      this.#at = from - 1
    }
    pieces.push(text.slice(from, this.#at))
    const isCut = this.#at >= text.length
    this.#at++
    this.ranOut ||= isCut
    return { value: pieces.join(''), isCut }
  }

  #number(): string | undefined {
    numberAt.lastIndex = this.#at
    const found = numberAt.exec(this.#text)?.[0]
    if (found === undefined) {
      this.ranOut ||= this.#text.slice(this.#at) === '-'
      return undefined
    }
    this.#pass(found)
    // A letter after it makes it complex, or no number at all.
    if (/[\w.]/.test(this.#text[this.#at] ?? '')) throw new NoPython()
    return found
  }

  #constant(): string {
    const word = this.#name()
    const found = constants.get(word)
    if (found !== undefined) return found
    // At the end, it may become one.
    this.ranOut &&= [...constants.keys()].some((one) => one.startsWith(word))
    throw new NoPython()
  }

  #pass(found: string): void {
    this.#at += found.length
    // What is last may still grow: `1e+` and `a.` go on with what follows.
    this.ranOut ||= this.#at + 2 >= this.#text.length
  }

  #isNext(char: string): boolean {
    this.#skip()
    return this.#text[this.#at] === char
  }

  #isAtEnd(): boolean {
    this.#skip()
    return this.#at >= this.#text.length
  }

  /** Takes a character when it comes next, after white space. */
  #take(char: string): boolean {
    const isNext = this.#isNext(char)
    if (isNext) this.#at++
    return isNext
  }

  #skip(): void {
    while (this.#at < this.#text.length && (this.#text[this.#at] as string).trim() === '') this.#at++
    this.ranOut ||= this.#at >= this.#text.length
  }
}
