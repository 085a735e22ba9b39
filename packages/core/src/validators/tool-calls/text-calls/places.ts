import type { TextSpan } from '../../../answer/span.ts'
import type { CallableTools } from '../notations/callable-tools.ts'
import { callsAtStart, isLikeCall, likenesses, notationOf, readCalls } from '../notations/read-calls.ts'
import { readFencedCalls, type TextToolCalls, withoutEnd } from './fenced.ts'
import { mayBeUnit } from './may-be-calls.ts'

/** A text that looks like a call, but cannot be read as one of a tool that was offered. */
export interface Lookalike {
  readonly span: TextSpan
  /** Whether it names a tool that was offered. */
  readonly isOffered: boolean
}

/** A part of the text that may be calls, from the place where they would begin. */
interface Unit {
  readonly start: number
  /** Whether words are above it. */
  readonly hasWords: boolean
  text: string
  /** How much of it has been looked at. */
  seen: number
  /** What opened the fence that it is. */
  fence?: string
  /** Where its first paragraph ends, when calls that are all of the answer may go on below. */
  cut?: number
}

/** The end of a line after which calls may begin: its sentence is over. */
const sentenceEnd = /[.:!?。：！？]["')*_]{0,3}\s*$/
const fenceStart = /^ {0,3}(`{3,}|~{3,})/
/** What calls, or a fence with them, begin with. */
const firstSign = /^[[{\p{L}_\\"'`~]/u

/** Collects all of a text that is calls, or looks like it, in order and however the text is cut: paragraphs and fences that are nothing but calls. */
export class CallPlaces {
  /** What is nothing but calls. */
  readonly found: TextToolCalls[] = []
  readonly lookalikes: Lookalike[] = []
  readonly #tools: CallableTools
  readonly #isStrict: boolean
  #length: number
  /** The line that is not complete, and where it starts. */
  #line = ''
  #lineStart: number
  /** Whether only white space has come. */
  #isStart = true
  /** Whether calls may begin with this line. */
  #mayBegin = true
  #hasWords = false
  #inQuote = false
  /** What opened the fence that is open, and holds no calls. */
  #fence: string | undefined
  #unit: Unit | undefined

  /** With `isStrict`, text is held from what looks like calls, too. */
  constructor(start: number, tools: CallableTools, isStrict = false) {
    this.#tools = tools
    this.#isStrict = isStrict
    this.#length = start
    this.#lineStart = start
  }

  /** Whether all of it may be calls. */
  get mayBeAll(): boolean {
    return !this.#hasWords
  }

  /** Where text has to be held from; its end when it need not. */
  get hold(): number {
    const calls = Math.min(this.#length, this.#unit?.start ?? this.#length, this.found[0]?.span.start ?? this.#length)
    return this.#isStrict ? Math.min(calls, this.lookalikes.find(isOffered)?.span.start ?? calls) : calls
  }

  /** Takes the next piece of text. */
  push(piece: string): void {
    for (let at = 0; at < piece.length; ) {
      const lineEnd = piece.indexOf('\n', at)
      const end = lineEnd < 0 ? piece.length : lineEnd
      if (end > at) {
        const part = piece.slice(at, end)
        this.#line += part
        this.#take(part)
      }
      if (lineEnd >= 0) this.#endLine()
      at = end + 1
    }
  }

  /** Ends the text. */
  end(): this {
    if (this.#line !== '') this.#endLine()
    while (this.#unit) this.#endUnit()
    return this
  }

  /** Takes a piece of a line. */
  #take(piece: string): void {
    for (let rest = piece; rest !== ''; ) {
      const from = this.#length
      this.#length += rest.length
      rest = this.#unit ? this.#grow(this.#unit, rest) : this.#fence === undefined ? this.#begin(rest, from) : ''
    }
  }

  /** Calls may begin where a line does; returns what has to be read again. */
  #begin(piece: string, from: number): string {
    if (this.#isStart) {
      const visible = piece.trimStart()
      this.#isStart = visible === ''
      const start = from + piece.length - visible.length
      if (start > this.#lineStart && firstSign.test(visible.slice(0, 2))) return this.#startUnit(start, visible)
    }
    if (from === this.#lineStart && (this.#mayBegin ? firstSign : /^[`~]/).test(piece.slice(0, 2))) return this.#startUnit(from, piece)
    return ''
  }

  #startUnit(start: number, piece: string): string {
    this.#unit = { start, hasWords: this.#hasWords, text: '', seen: 0 }
    return this.#grow(this.#unit, piece)
  }

  /** Looks at prefixes of fixed lengths, however the text is cut; returns what follows the one that cannot be calls. */
  #grow(unit: Unit, piece: string): string {
    unit.text += piece
    for (let next = lengthAfter(unit.seen); next <= unit.text.length; next = lengthAfter(next)) {
      unit.seen = next
      if (mayBeUnit(wholePrefix(unit.text, next), this.#tools, unit.hasWords)) continue
      const rest = unit.text.slice(next)
      unit.text = unit.text.slice(0, next)
      this.#length -= rest.length
      if (!this.#endUnit()) return rest
      // What follows calls is a line of its own.
      this.push(rest)
      return ''
    }
    return ''
  }

  #endLine(): void {
    const line = this.#line
    const start = this.#lineStart
    const opening = fenceOf(line)
    const unit = this.#unit
    if (unit && unit.fence === undefined && opening !== undefined && unit.start < start && !this.#goesOn(unit, start)) {
      // A fence below a paragraph is read by itself.
      unit.text = unit.text.slice(0, start - unit.start)
      this.#length = start
      this.#line = ''
      this.#endUnit()
      this.push(`${line}\n`)
      return
    }
    if (unit) {
      if (unit.fence === undefined && opening !== undefined && unit.start >= start) unit.fence = opening
      else if (unit.fence !== undefined ? closes(line, opening, unit.fence) : line.trim() === '' && !this.#goesOn(unit, start)) {
        unit.text += '\n'
        this.#startLine(true)
        this.#endUnit(unit.fence !== undefined)
        return
      }
      this.#startLine(false)
      this.#grow(unit, '\n')
      return
    }
    if (this.#fence !== undefined) {
      this.#compare(`${line}\n`, start, '')
      if (closes(line, opening, this.#fence)) this.#fence = undefined
      this.#startLine(this.#fence === undefined)
    } else if (opening !== undefined) {
      this.#fence = opening
      this.#hasWords = true
      this.#compare(`${line}\n`, start, '')
      this.#startLine(false)
    } else if (line.trim() === '') {
      this.#inQuote = false
      this.#startLine(true)
    } else {
      this.#endWords(line, start)
      this.#startLine(!this.#inQuote && sentenceEnd.test(line.slice(-20)))
    }
  }

  /** Whether a unit that is all of the text so far goes on below its first paragraph, as JSON with empty lines does. */
  #goesOn(unit: Unit, end: number): boolean {
    if (unit.cut !== undefined) return true
    if (this.#hasWords || this.found.length > 0 || readCalls(unit.text, this.#tools)) return false
    unit.cut = end - unit.start
    return true
  }

  #startLine(mayBegin: boolean): void {
    this.#length++
    this.#line = ''
    this.#lineStart = this.#length
    this.#mayBegin = mayBegin
  }

  /** Looks at a line of words. */
  #endWords(line: string, start: number): void {
    this.#hasWords = true
    this.#inQuote ||= /^\s{0,3}>/.test(line)
    if (!this.#inQuote) this.#compare(`${line}\n`, start)
  }

  /** Keeps in mind what looks like a call in a text; of another tool, only what is all of it. */
  #compare(text: string, start: number, all = text): void {
    if (isLikeCall(all)) this.lookalikes.push({ span: { start, end: start + text.length }, isOffered: false })
    for (const found of likenesses(text, this.#tools))
      this.lookalikes.push({ span: { start: start + found.start, end: start + found.end }, isOffered: true })
  }

  /** Reads what has ended or cannot be calls any more; true where it has read again what follows the calls in it. */
  #endUnit(isClosed = false): boolean {
    const { start, text, fence, cut } = this.#unit as Unit
    this.#unit = undefined
    if (fence !== undefined) {
      if (!isClosed) this.#fence = fence
      const content = text.slice(text.indexOf('\n') + 1, isClosed ? text.trimEnd().lastIndexOf('\n') + 1 : text.length)
      const calls = isClosed ? (this.#hasWords ? readCalls(content, this.#tools) : readFencedCalls(content, this.#tools)) : undefined
      if (calls) this.#find(calls, start, text, content, true)
      // A program may call anything, but does not begin with it.
      else this.#compare(text, start, /^\s*[[{]/.test(content) ? content : content.trimStart().split('\n', 1)[0])
      this.#hasWords ||= calls === undefined
      return false
    }
    const written = withoutEnd(text)
    const all = readCalls(written, this.#tools)
    const part = all ? undefined : callsAtStart(text, this.#tools)
    // The line that it ended within is read again: it may be a fence.
    const rest = cut ?? text.lastIndexOf('\n') + 1
    if (all) this.#find(all, start, text, written)
    else if (part) {
      this.#find(part.calls, start, text.slice(0, part.length), text)
      this.#readAgain(text.slice(part.length), start + part.length)
      return true
    } else if (rest < text.length && rest > 0) {
      const words = text.slice(0, rest)
      this.#compare(words, start)
      this.#hasWords = true
      this.#mayBegin = cut !== undefined || sentenceEnd.test(words.slice(-20))
      this.#readAgain(text.slice(rest), start + rest)
      return true
    } else {
      this.#compare(text, start)
      this.#hasWords = true
      this.#mayBegin ||= sentenceEnd.test(text.slice(-20))
    }
    return false
  }

  /** Reads a text again as one that begins with a line. */
  #readAgain(text: string, start: number): void {
    this.#length = start
    this.#line = ''
    this.#lineStart = start
    this.push(text)
  }

  #find(calls: TextToolCalls['calls'], start: number, text: string, written: string, isFenced = false): void {
    this.found.push({ calls, span: { start, end: start + text.trimEnd().length }, dialect: notationOf(written), isFenced })
  }
}

/** Up to this length every prefix is looked at, of longer texts only those that have grown by a part, so that time stays linear. */
const alwaysLookedAt = 64
const growth = 1.25

/** The length of the next prefix that is looked at. */
function lengthAfter(length: number): number {
  return length < alwaysLookedAt ? length + 1 : Math.ceil(length * growth)
}

/** A prefix that does not end within a surrogate pair, whose half is not a letter. */
function wholePrefix(text: string, length: number): string {
  const last = text.charCodeAt(length - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length)
}

/** Whether it is said to be one of a tool that was offered. */
export const isOffered = (one: Lookalike): boolean => one.isOffered

/** The marks that open or close a fence on a line. */
function fenceOf(line: string): string | undefined {
  const found = /^[ `~]/.test(line) ? fenceStart.exec(line) : null
  return found && !line.includes('`', found[0].length) ? found[1] : undefined
}

function closes(line: string, marks: string | undefined, fence: string): boolean {
  return marks !== undefined && marks[0] === fence[0] && marks.length >= fence.length && line.trim() === marks
}
