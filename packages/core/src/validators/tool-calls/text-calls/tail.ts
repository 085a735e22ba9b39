import type { CallableTools } from '../notations/callable-tools.ts'
import { notationOf, readCalls } from '../notations/read-calls.ts'
import { type TextToolCalls, withoutEnd } from './fenced.ts'

/** Decides whether a paragraph or a fence may still be calls, while it arrives. */
export interface UnitWatch {
  readonly isOpen: boolean
  push(piece: string): boolean
}

/** A paragraph or a fence that may be calls. */
interface Unit {
  readonly start: number
  readonly lines: string[]
  readonly watch: UnitWatch | undefined
}

/** The end of a line after which calls may begin: its sentence is over. */
const sentenceEnd = /[.:!?。：！？]["')*_]{0,3}\s*$/
const fenceStart = /^ {0,3}(`{3,}|~{3,})/
/** What calls, or a fence with them, begin with. */
const firstSign = /^[[{\p{L}_\\"'`~]/u

/** Finds the calls that a text ends with, after words: paragraphs and fences that are nothing but calls, however the text is cut. */
export class CallTail {
  readonly #tools: CallableTools
  readonly #startWatch: (() => UnitWatch) | undefined
  #length: number
  /** The line that is not complete. */
  #line = ''
  #lineStart: number
  /** Whether its first sign was looked at. */
  #hasBegun = false
  /** Whether calls may begin with this line. */
  #mayBegin = false
  /** Whether there were words: without any, the calls are the whole text. */
  #hasWords = false
  /** What opened the fence that is open. */
  #fence: string | undefined
  #unit: Unit | undefined
  #found: TextToolCalls[] = []

  constructor(start: number, tools: CallableTools, startWatch?: () => UnitWatch) {
    this.#tools = tools
    this.#startWatch = startWatch
    this.#length = start
    this.#lineStart = start
  }

  /** Where text has to be held from; its end when it need not. */
  get hold(): number {
    return this.#found[0]?.span.start ?? (this.#unit?.watch?.isOpen === false ? this.#length : (this.#unit?.start ?? this.#length))
  }

  /** Takes the next piece of text. */
  push(piece: string): void {
    for (let at = 0; at < piece.length; ) {
      const lineEnd = piece.indexOf('\n', at)
      const end = lineEnd < 0 ? piece.length : lineEnd
      this.#take(at === 0 && end === piece.length ? piece : piece.slice(at, end))
      if (lineEnd >= 0) this.#endLine()
      at = end + 1
    }
  }

  /** Ends the text, and returns the calls that it ends with. */
  end(): readonly TextToolCalls[] {
    if (this.#line !== '') this.#endLine()
    this.#endUnit()
    return this.#found
  }

  /** Takes a piece of a line. */
  #take(piece: string): void {
    this.#line += piece
    this.#length += piece.length
    if (piece === '') return
    if (this.#hasBegun) this.#watch(piece)
    else this.#begin(piece)
  }

  /** Looks at the first sign of a line. */
  #begin(piece: string): void {
    this.#hasBegun = true
    if (this.#unit || this.#fence) this.#watch(piece)
    // What is indented belongs to a list, if it is not blank.
    else if (/^\s/.test(piece)) return
    else if (!(this.#mayBegin ? firstSign : /^[`~]/).test(piece.slice(0, 2))) this.#endFound()
    else if (this.#hasWords) this.#unit = this.#startUnit(this.#lineStart, piece)
  }

  /** Words follow what was found. */
  #endFound(): void {
    this.#hasWords = true
    this.#found = []
  }

  #startUnit(start: number, piece: string): Unit {
    const watch = this.#startWatch?.()
    if (watch && !watch.push(piece)) this.#found = []
    return { start, lines: [], watch }
  }

  #watch(piece: string): void {
    if (this.#unit?.watch?.isOpen && !this.#unit.watch.push(piece)) this.#found = []
  }

  #endLine(): void {
    const line = this.#line
    const start = this.#lineStart
    this.#length++
    this.#line = ''
    this.#hasBegun = false
    this.#lineStart = this.#length
    const opening = fenceOf(line)
    if (this.#fence !== undefined) {
      this.#add(line)
      const closes = opening !== undefined && opening[0] === this.#fence[0] && opening.length >= this.#fence.length
      if (closes && line.trim() === opening) this.#endUnit()
    } else if (opening !== undefined) {
      if (this.#unit && this.#unit.start !== start) this.#endUnit()
      if (this.#hasWords && line.startsWith(opening)) this.#unit ??= this.#startUnit(start, line)
      this.#fence = opening
      this.#add(line)
    } else if (line.trim() === '') {
      this.#endUnit()
    } else {
      this.#add(line)
      this.#mayBegin = sentenceEnd.test(line.slice(-20))
      return
    }
    this.#mayBegin = this.#fence === undefined
  }

  #add(line: string): void {
    if (this.#unit === undefined && this.#fence === undefined) this.#endFound()
    if (this.#unit === undefined || this.#unit.watch?.isOpen === false) return
    this.#unit.lines.push(line)
    this.#watch('\n')
  }

  /** Reads the paragraph or the fence that has ended. */
  #endUnit(): void {
    const unit = this.#unit
    const isFence = this.#fence !== undefined
    this.#unit = undefined
    this.#fence = undefined
    if (unit === undefined || unit.watch?.isOpen === false) return
    const text = unit.lines.join('\n')
    const isClosed = isFence && unit.lines.length > 1 && fenceOf(unit.lines.at(-1) ?? '') !== undefined
    const content = isFence ? unit.lines.slice(1, -1).join('\n') : withoutEnd(text)
    const calls = isFence && !isClosed ? undefined : readCalls(content, this.#tools)
    if (calls)
      this.#found.push({ calls, span: { start: unit.start, end: unit.start + text.trimEnd().length }, dialect: notationOf(content) })
    else this.#found = []
  }
}

/** The marks that open or close a fence on a line. */
function fenceOf(line: string): string | undefined {
  const found = /^[ `~]/.test(line) ? fenceStart.exec(line) : null
  return found && !line.includes('`', found[0].length) ? found[1] : undefined
}
