import type { TextSpan } from '../../../answer/span.ts'
import { closeOf, closeWatch, isTicks, lastRunsOf, ticksAt } from './backticks.ts'
import { breakAt, isInside, type LineBreak, mayBecomeTag, nextBreak } from './line-breaks.ts'
import { isBlockCall, isCodeKind, isCommandName, isStatement, lineKind, longestStart, mayBeCode } from './line-kind.ts'

/** Code inside of lines: in a fence that closes on its line, in an HTML element, or a statement in a sentence. */
export interface LoosePiece {
  readonly kind: 'fence' | 'element' | 'mention'
  readonly start: number
  readonly text: string
  /** Whether it had not ended when the text did. */
  readonly open?: boolean
}

/** A line, or a part of one. */
export interface LooseLine extends TextSpan {
  /** Whether it is a cell of a table, among which there may be remarks. */
  readonly isCell?: boolean
}

/** An element that has not ended, and the last characters of its text, where its closing tag may begin. */
interface OpenElement {
  readonly name: string
  readonly start: number
  text: string
  last: string
}

const longestTag = 200
/** Longer pieces of a sentence are not statements, and longer fences are held without another look. */
const longestMention = 400
const longestInline = 2000

/** Reads the text outside of fenced blocks, in pieces of any size: which lines and pieces of it may be code, and how far it is prose whatever follows. */
export class LooseScanner {
  /** The lines, as far as they are not part of an element; tags that break lines and the cells of tables divide them. */
  readonly lines: LooseLine[] = []
  readonly pieces: LoosePiece[] = []
  /** Where code starts whose end only the end of the text shows. */
  codeFrom = Number.POSITIVE_INFINITY
  /** Where the first statement in a sentence starts. */
  mentionFrom = Number.POSITIVE_INFINITY
  #lineStart: number
  /** The line, as long as it may be code; then what is undecided of it, and where that starts. */
  #line = ''
  #decoration = { end: 0 }
  #isProse = false
  #tail = ''
  #tailStart = 0
  /** Says of the next text that it decides nothing about the backticks that the tail begins with. */
  #staysOpen: ((piece: string) => boolean) | undefined
  /** At the end of a line: where the last run of so many backticks starts. */
  #lastRuns: ReadonlyMap<number, number> | undefined
  /** Where backticks are inside of something else that may open a fence: the end of the line shows that. */
  #fenceFrom = Number.POSITIVE_INFINITY
  #element: OpenElement | undefined
  /** Whether the line is a row of a table, where it starts, and the last characters of a part that may be code, where a tag may begin. */
  #isRow: boolean | undefined
  #hasCells = false
  #rowStart: number
  #recent = ''
  /** The break that has just ended a part of a line. */
  #break: LineBreak | undefined
  /** What follows a break and is to be read next. */
  #rest: { readonly piece: string; readonly end: number } | undefined
  /** Where the text ends that was read last. */
  #end: number

  constructor(start: number) {
    this.#lineStart = start
    this.#rowStart = start
    this.#end = start
  }

  /** Where text starts that is not known to be prose. */
  get clear(): number {
    return Math.min(this.codeFrom, this.#fenceFrom, this.#isProse ? this.#tailStart : this.#lineStart)
  }

  /** Takes the next text, which starts at an offset and does not end inside a line break. */
  push(text: string, offset: number): void {
    let from = 0
    for (const { 0: end, index } of text.matchAll(/\r\n|[\r\n]/g)) {
      this.#extend(text.slice(from, index), offset + index)
      from = index + end.length
      this.#endLine(offset + index, offset + from)
      this.#startRow(offset + from)
    }
    this.#extend(text.slice(from), offset + text.length)
  }

  /** Ends the line where a fenced block begins or the text ends, and goes on after it. */
  cut(at: number, next: number): void {
    this.#line = this.#line.slice(0, Math.max(0, at - this.#lineStart))
    this.#tail = this.#tail.slice(0, Math.max(0, at - this.#tailStart))
    this.#end = at
    if (this.#line !== '' || this.#isProse) this.#endLine(at, next)
    this.#beginLine(next)
    this.#startRow(next)
  }

  /** Ends the text. */
  end(at: number): void {
    this.cut(at, at)
    const element = this.#element
    if (element !== undefined) this.pieces.push({ kind: 'element', start: element.start, text: element.text, open: true })
  }

  #startRow(at: number): void {
    this.#isRow = undefined
    this.#hasCells = false
    this.#rowStart = at
  }

  #extend(piece: string, end: number): void {
    this.#rest = { piece, end }
    this.#readRest()
  }

  /** Reads what follows a break, and what follows the breaks in that: a line may have thousands of them. */
  #readRest(): void {
    while (this.#rest !== undefined) {
      const { piece, end } = this.#rest
      this.#rest = undefined
      this.#take(piece, end)
    }
  }

  #take(piece: string, end: number): void {
    if (piece === '') return
    this.#end = end
    if (this.#element !== undefined || this.#isProse) {
      this.#readOn(piece, false)
      return
    }
    // A look at the whole line for every piece would cost its square.
    const isLong = this.#line.length >= longestStart
    this.#line += piece
    if (this.#isRow === undefined && this.#line.trim() !== '') this.#isRow = this.#line.trimStart().startsWith('|')
    if (this.#breakLine(piece, isLong)) return
    if (!isLong && !mayBeCode(this.#line, this.#decoration)) this.#readAsProse()
  }

  /** Divides a line that may be code where a tag or a cell ends it, outside of strings and elements. */
  #breakLine(piece: string, isLong: boolean): boolean {
    const recent = this.#recent + piece
    const before = this.#line.length - recent.length
    this.#recent = recent.slice(-longestTag)
    let found = nextBreak(recent, 0, this.#isRow)
    for (; found !== undefined; found = nextBreak(recent, found.end, this.#isRow)) {
      // Each look costs as much as the part.
      if (before + found.index > longestInline) return false
      const end = before + found.end
      if (end <= this.#line.length - piece.length) continue
      const part = this.#line.slice(0, before + found.index)
      if (!isLong && !mayBeCode(part)) return false
      if (isInside(part)) continue
      const rest = this.#line.slice(end)
      const next = this.#lineStart + end
      this.#hasCells ||= found.isCell
      const stop = this.#end
      this.#line = part
      this.#end = this.#lineStart + part.length
      this.#endLine(this.#end, next)
      this.#rest = { piece: rest, end: stop }
      return true
    }
    return false
  }

  #readAsProse(): void {
    const line = this.#line
    this.#line = ''
    this.#isProse = true
    this.#tailStart = this.#lineStart
    this.#readOn(line, false)
  }

  /** Reads prose and elements one after the other. */
  #readOn(piece: string, isEnd: boolean): void {
    let rest: string | undefined = piece
    while (rest !== undefined) rest = this.#element === undefined ? this.#readTail(rest, isEnd) : this.#readElement(rest)
  }

  #endLine(end: number, next: number): void {
    const wasElement = this.#element !== undefined
    for (let start = -1; start !== this.#lineStart; ) {
      start = this.#lineStart
      // A break in what was undecided begins another part.
      this.#decideLine()
    }
    if (this.#element !== undefined) this.#readElement('\n')
    if (!wasElement) this.#addLine(this.#lineStart, end)
    this.#beginLine(next)
  }

  #decideLine(): void {
    if (this.#element === undefined && !this.#isProse) {
      const [kind, wideKind] = [lineKind(this.#line), lineKind(this.#line, 'wide')]
      if (isCodeKind(kind)) this.codeFrom = Math.min(this.codeFrom, this.#lineStart)
      else {
        if (isCodeKind(wideKind)) this.mentionFrom = Math.min(this.mentionFrom, this.#lineStart)
        this.#readAsProse()
        this.#readRest()
      }
    }
    if (this.#isProse) this.#readOn('', true)
    this.#readRest()
  }

  #addLine(start: number, end: number): void {
    if (start < end || start === this.#rowStart)
      this.lines.push(this.#isRow || this.#hasCells ? { start, end, isCell: true } : { start, end })
  }

  #beginLine(next: number): void {
    this.#isProse = false
    this.#tail = ''
    this.#staysOpen = undefined
    this.#fenceFrom = Number.POSITIVE_INFINITY
    this.#line = ''
    this.#decoration = { end: 0 }
    this.#recent = ''
    this.#lineStart = next
  }

  /** Decides as much of a line of prose as can be: words, inline code and tags one after the other; returns what follows the start of an element. */
  #readTail(piece: string, isEnd: boolean): string | undefined {
    this.#tail += piece
    if (!isEnd && this.#staysOpen?.(piece)) {
      if (this.#tail.length > longestInline) this.codeFrom = Math.min(this.codeFrom, this.#tailStart)
      return undefined
    }
    this.#staysOpen = undefined
    this.#lastRuns = undefined
    let at = 0
    for (let next = this.#step(at, isEnd); next !== undefined; next = this.#step(at, isEnd)) {
      const inside = this.#tail.charAt(at) === '`' ? -1 : this.#tail.slice(at, next).indexOf('```')
      if (inside >= 0) this.#fenceFrom = Math.min(this.#fenceFrom, this.#tailStart + at + inside)
      if (this.#break !== undefined) {
        this.#breakProse(at, next)
        return undefined
      }
      at = next
      if (this.#element === undefined) continue
      const rest = this.#tail.slice(at)
      this.#tail = ''
      return rest
    }
    this.#tailStart += at
    this.#tail = this.#tail.slice(at)
    return undefined
  }

  /** Ends a part of a line of prose, and goes on with the next one. */
  #breakProse(at: number, next: number): void {
    const rest = this.#tail.slice(next)
    const start = this.#tailStart + next
    this.#hasCells ||= this.#break?.isCell === true
    this.#break = undefined
    this.#addLine(this.#lineStart, this.#tailStart + at)
    this.#beginLine(start)
    this.#rest = { piece: rest, end: this.#end }
  }

  /** Where what begins at an offset of the tail ends; undefined as long as that is open. */
  #step(at: number, isEnd: boolean): number | undefined {
    const tail = this.#tail
    const character = tail.charAt(at)
    if (character === '') return undefined
    if (character === '`') return this.#readTicks(at, isEnd)
    if (character === '<') return this.#readTag(at, isEnd)
    if (character === '|' && this.#isRow) return this.#readBreak(at) ?? at + 1
    if ((character === ':' || character === '>') && this.#tailStart + at - this.#lineStart < longestStart) return this.#readLabel(at, isEnd)
    const word = wordAt(tail, at)
    const end = at + Math.max(1, word.length)
    if (end === tail.length && word !== '' && !isEnd && word.length < longestStart) return undefined
    return isCommandName(word) && tail.charAt(end) === '(' && !isBlockCall(`${word}(`) ? this.#readCall(at, end, isEnd) : end
  }

  /** Where a break ends that is at an offset of the tail. */
  #readBreak(at: number): number | undefined {
    const found = breakAt(this.#tail, at, this.#isRow)
    if (found === undefined) return undefined
    this.#break = found
    return found.end
  }

  /** A colon, after which all that is left of a line may be code. */
  #readLabel(at: number, isEnd: boolean): number | undefined {
    const whole = this.#tail.slice(at + 1, at + 1 + longestStart)
    if (!/^\**(?:\s|$)/.test(whole)) return at + 1
    const end = nextBreak(whole, 0, this.#isRow)?.index ?? -1
    const rest = end < 0 ? whole : whole.slice(0, end)
    const isWhole = isEnd || end >= 0
    if (!isWhole && whole.length < longestStart && mayBeCode(rest)) return undefined
    if (isWhole ? isCodeKind(lineKind(rest, 'wide')) : mayBeCode(rest))
      this.mentionFrom = Math.min(this.mentionFrom, this.#tailStart + at + 1)
    return at + 1
  }

  /** A call in a sentence, up to its closing bracket. */
  #readCall(at: number, group: number, isEnd: boolean): number | undefined {
    const tail = this.#tail
    let depth = 0
    for (let end = group; end < Math.min(tail.length, at + longestMention); end++) {
      if (tail.charAt(end) === '(') depth++
      if (tail.charAt(end) !== ')' || --depth > 0) continue
      if (tail.slice(group + 1, end).trim() !== '') this.#mention(at, tail.slice(at, end + 1))
      return end + 1
    }
    return isEnd || tail.length >= at + longestMention ? group : undefined
  }

  #readTicks(at: number, isEnd: boolean): number | undefined {
    const tail = this.#tail
    const length = ticksAt(tail, at)
    const from = at + length
    if (from === tail.length && !isEnd) {
      this.#staysOpen = isTicks
      return undefined
    }
    const isFence = length > 2
    if (isEnd) this.#lastRuns ??= lastRunsOf(tail)
    const isClosed = (this.#lastRuns?.get(length) ?? tail.length) > at
    const close = isClosed ? closeOf(tail, from, length, isFence ? tail.length : from + longestInline) : -1
    if (!isFence && (close < 0 ? tail.length : close) - from > longestInline) return from
    if (close < 0 || (close + length === tail.length && !isEnd)) {
      if (isFence && tail.length - at > longestInline) this.codeFrom = Math.min(this.codeFrom, this.#tailStart + at)
      if (isFence) this.#staysOpen = closeWatch(length, tail)
      return isEnd ? from : undefined
    }
    const code = tail.slice(from, close)
    if (isFence) {
      this.codeFrom = Math.min(this.codeFrom, this.#tailStart + at)
      this.pieces.push({ kind: 'fence', start: this.#tailStart + from, text: code })
    } else this.#readInline(from, code)
    return close + length
  }

  /** A tag: what `<pre>` holds is code, and so are the lines of `<code>`. */
  #readTag(at: number, isEnd: boolean): number | undefined {
    const tail = this.#tail
    const close = tail.slice(at, at + longestTag).indexOf('>')
    if (close < 0) return isEnd || tail.length - at >= longestTag || !mayBecomeTag(tail, at) ? at + 1 : undefined
    const name = /^<(pre|code)(?:\s[^<>]*)?>$/i.exec(tail.slice(at, at + close + 1))?.[1]?.toLowerCase()
    const start = at + close + 1
    if (name === undefined) return this.#readBreak(at) ?? at + 1
    const end = name === 'code' ? tail.slice(start, start + longestInline).search(/<\/code>/i) : -1
    if (end >= 0) {
      const code = tail.slice(start, start + end)
      if (/<br[\s/>]/i.test(code)) {
        this.codeFrom = Math.min(this.codeFrom, this.#tailStart + at)
        this.pieces.push({ kind: 'element', start: this.#tailStart + start, text: code })
      } else this.#readInline(start, code)
      return start + end + 7
    }
    if (name === 'code' && !isEnd && tail.length - start < longestInline) return undefined
    this.codeFrom = Math.min(this.codeFrom, this.#tailStart + at)
    this.#element = { name, start: this.#tailStart + start, text: '', last: '' }
    return start
  }

  #readElement(piece: string): string | undefined {
    const element = this.#element as OpenElement
    // The closing tag may arrive in pieces.
    const recent = element.last + piece
    const close = recent.search(element.name === 'pre' ? /<\/pre>/i : /<\/code>/i)
    const end = element.text.length - element.last.length + close
    element.text += piece
    element.last = recent.slice(-element.name.length - 2)
    if (close < 0) return undefined
    this.#element = undefined
    this.pieces.push({ kind: 'element', start: element.start, text: element.text.slice(0, end) })
    // What follows is prose.
    const rest = element.text.slice(end + element.name.length + 3)
    this.#isProse = true
    this.#tailStart = this.#end - rest.length
    this.#lineStart = this.#tailStart
    return rest
  }

  /** Code inside a line: a statement, or text with a call in it. */
  #readInline(at: number, code: string): void {
    if (isStatement(code)) this.#mention(at, code)
    else for (const { 0: call, index } of code.matchAll(/\b\w+\([^()]+\)/g)) if (isCommandName(call)) this.#mention(at + index, call)
  }

  #mention(at: number, text: string): void {
    const start = this.#tailStart + at
    this.mentionFrom = Math.min(this.mentionFrom, start)
    this.pieces.push({ kind: 'mention', start, text })
  }
}

function wordAt(text: string, at: number): string {
  const word = /[\w$]{0,400}/y
  word.lastIndex = at
  return word.exec(text)?.[0] ?? ''
}
