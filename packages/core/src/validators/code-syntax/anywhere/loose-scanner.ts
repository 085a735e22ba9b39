import { afterMarks } from '../../../answer/markdown/meant-fence.ts'
import type { TextSpan } from '../../../answer/span.ts'
import { mayBecomeCode } from '../first-line.ts'
import { isBlockCall, isCommandName, isSpacedCall, lineKind } from './line-kind.ts'

/** Code inside of lines: in a fence that closes on its line, in an HTML element, or a statement in a sentence. */
export interface LoosePiece {
  readonly kind: 'fence' | 'element' | 'mention'
  readonly start: number
  readonly text: string
  /** Whether it had not ended when the text did. */
  readonly open?: boolean
}

/** An element that has not ended, and the last characters of its text, where its closing tag may begin. */
interface OpenElement {
  readonly name: string
  readonly start: number
  text: string
  last: string
}

/** Of a longer line the start is enough. */
const longestStart = 400
const longestTag = 200
/** Longer pieces of a sentence are no statements, and longer fences are held without another look. */
const longestMention = 400
const longestInline = 2000

/** Reads the text outside of fenced blocks, in pieces of any size: which lines and pieces of it may be code, and how far it is prose whatever follows. */
export class LooseScanner {
  /** The lines, as far as they are not part of an element. */
  readonly lines: TextSpan[] = []
  readonly pieces: LoosePiece[] = []
  /** Where code starts whose end only the end of the text shows. */
  codeFrom = Number.POSITIVE_INFINITY
  /** Where the first statement in a sentence starts. */
  mentionFrom = Number.POSITIVE_INFINITY
  #lineStart: number
  /** The line, as long as it may be code; then what is undecided of it, and where that starts. */
  #line = ''
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
  /** Where the text ends that was read last. */
  #end: number

  constructor(start: number) {
    this.#lineStart = start
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
    }
    this.#extend(text.slice(from), offset + text.length)
  }

  /** Ends the line where a fenced block begins or the text ends, and goes on after it. */
  cut(at: number, next: number): void {
    this.#line = this.#line.slice(0, Math.max(0, at - this.#lineStart))
    this.#tail = this.#tail.slice(0, Math.max(0, at - this.#tailStart))
    this.#end = at
    if (this.#line !== '' || this.#isProse) this.#endLine(at, next)
    this.#lineStart = next
  }

  /** Ends the text. */
  end(at: number): void {
    this.cut(at, at)
    const element = this.#element
    if (element !== undefined) this.pieces.push({ kind: 'element', start: element.start, text: element.text, open: true })
  }

  #extend(piece: string, end: number): void {
    if (piece === '') return
    this.#end = end
    if (this.#element !== undefined || this.#isProse) this.#readOn(piece, false)
    else {
      // A look at the whole line for every piece would cost its square.
      const isLong = this.#line.length >= longestStart
      this.#line += piece
      if (!isLong && !mayBeCode(this.#line)) this.#readAsProse()
    }
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
    const start = this.#lineStart
    const wasElement = this.#element !== undefined
    if (!wasElement && !this.#isProse) {
      const kind = lineKind(this.#line)
      if (kind === 'code' || kind === 'equation') this.codeFrom = Math.min(this.codeFrom, start)
      else this.#readAsProse()
    }
    if (this.#isProse) this.#readOn('', true)
    if (this.#element !== undefined) this.#readElement('\n')
    if (!wasElement) this.lines.push({ start, end })
    this.#isProse = false
    this.#tail = ''
    this.#staysOpen = undefined
    this.#fenceFrom = Number.POSITIVE_INFINITY
    this.#line = ''
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

  /** Where what begins at an offset of the tail ends; undefined as long as that is open. */
  #step(at: number, isEnd: boolean): number | undefined {
    const tail = this.#tail
    const character = tail.charAt(at)
    if (character === '') return undefined
    if (character === '`') return this.#readTicks(at, isEnd)
    if (character === '<') return this.#readTag(at, isEnd)
    const word = wordAt(tail, at)
    const end = at + Math.max(1, word.length)
    if (end === tail.length && word !== '' && !isEnd && word.length < longestStart) return undefined
    return isCommandName(word) && tail.charAt(end) === '(' && !isBlockCall(`${word}(`) ? this.#readCall(at, end, isEnd) : end
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
    if (close < 0)
      return isEnd || tail.length - at >= longestTag || !/^<(?:[a-z]{0,4}$|(?:pre|code)\s)/i.test(tail.slice(at, at + 6))
        ? at + 1
        : undefined
    const name = /^<(pre|code)(?:\s[^<>]*)?>$/i.exec(tail.slice(at, at + close + 1))?.[1]?.toLowerCase()
    if (name === undefined) return at + 1
    const start = at + close + 1
    const end = name === 'code' ? tail.slice(start, start + longestInline).search(/<\/code>/i) : -1
    if (end >= 0) {
      this.#readInline(start, tail.slice(start, start + end))
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

/** Whether a line may still turn out to be code, or has nothing yet but marks of lists and quotes. */
function mayBeCode(line: string): boolean {
  const start = line.slice(0, longestStart)
  const content = start.slice(afterMarks(start))
  return /^(?:[-+*]|\d{1,9}[.)]?)?$/.test(content) || mayBecomeCode(content) || isSpacedCall(content)
}

/** Whether inline code is more than a name. */
function isStatement(code: string): boolean {
  return /[(=]/.test(code) && !/^[\w$.]+\(\s*\)$/.test(code.trim()) && !isBlockCall(code.trim()) && lineKind(code) === 'code'
}

function wordAt(text: string, at: number): string {
  const word = /[\w$]{0,400}/y
  word.lastIndex = at
  return word.exec(text)?.[0] ?? ''
}

function ticksAt(text: string, at: number): number {
  let end = at
  while (text.charAt(end) === '`') end++
  return end - at
}

/** Where the next run of so many backticks starts, before a limit; -1 without one. */
function closeOf(text: string, from: number, length: number, limit: number): number {
  let close = text.indexOf('`', from)
  while (close >= 0 && close <= limit && ticksAt(text, close) !== length) close = text.indexOf('`', close + ticksAt(text, close))
  return close
}

function lastRunsOf(text: string): Map<number, number> {
  return new Map(Array.from(text.matchAll(/`+/g), ({ 0: run, index }) => [run.length, index]))
}

/** Says of each next piece whether a fence stays open, without another look at the text before. */
function closeWatch(length: number, text: string): (piece: string) => boolean {
  let run = 0
  while (text.charAt(text.length - 1 - run) === '`') run++
  return (piece) => {
    for (const character of piece) {
      if (character === '`') run++
      else if (run === length) return false
      else run = 0
    }
    return true
  }
}

function isTicks(piece: string): boolean {
  return /^`*$/.test(piece)
}
