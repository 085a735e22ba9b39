import type { Answer } from '../../../answer/answer.ts'
import { LineSplitter } from '../../../answer/lines.ts'

/** Every quotation mark of Unicode, and signs that are used as one. */
const anyMark = /[\p{Quotation_Mark}´❛-❠❮❯《》〈〉\u{1F676}-\u{1F678}]/u
const marks = new RegExp(anyMark, 'gu')
const apostrophe = /(?<=[\p{L}\p{N}])['’](?=[\p{L}\p{N}])/gu
const pairs = new Set(['""', "''", '“”', '„“', '„”', '‘’', '‚‘', '‚’', '«»', '‹›', '「」', '『』', '《》', '〈〉'])

/** Whether a piece of a line has a quotation mark without its pair; apostrophes are none. */
function hasOpenMark(piece: string): boolean {
  if (!anyMark.test(piece)) return false
  const text = piece.replace(apostrophe, '')
  const found = [...text.matchAll(marks)]
  return found.some(({ 0: open, index }, at) => at % 2 === 0 && !isPair(text, { open, index }, found[at + 1]))
}

function isPair(
  text: string,
  { open, index }: { readonly open: string; readonly index: number },
  close: RegExpExecArray | undefined,
): boolean {
  if (close === undefined || !pairs.has(open + close[0])) return false
  if (open !== close[0]) return true
  // Equal marks at both ends must also be read as a pair: the first may close an earlier one.
  const before = text.slice(Math.max(0, index - 2), index)
  const behind = text.slice(close.index + 1, close.index + 3)
  return (
    !/[\p{L}\p{N}]$/u.test(before) &&
    !/^[\p{L}\p{N}]/u.test(behind) &&
    /\S/.test(text.charAt(index + 1)) &&
    /\S/.test(text.charAt(close.index - 1))
  )
}

/** Whether a piece of a line has any quotation mark; apostrophes are none. */
function hasMark(piece: string): boolean {
  return anyMark.test(piece) && anyMark.test(piece.replace(apostrophe, ''))
}

/** Whether a piece of a line has markup that may hold what follows, over blank lines too: HTML, its entities, tags in brackets. */
function hasMarkup(piece: string): boolean {
  // Some servers keep the opening tag of reasoning to themselves.
  return piece !== '</think>' && /<[a-z/!?]|&(?:#\w{1,8}|\w{1,32});|\[\/?(?:quote|code|cite)\b/i.test(piece)
}

/** Whether a line can only be a line of a paragraph: no white space and no sign of a block starts it. */
function startsAsProse(line: string): boolean {
  return /^(?!\d{1,9}[.)])[^\s!-/:-@[-`{-~]/.test(line)
}

/** Whether a piece of a line has nothing that could start code, HTML, a link or a cell of a table. */
function isPlain(piece: string): boolean {
  return !/[`<>\\|[\]]/.test(piece)
}

/** Whether a piece of a line is blank for CommonMark, for which only spaces and tabs are. */
function isBlankPiece(piece: string): boolean {
  return !/[^ \t]/.test(piece)
}

/** Whether a line has the mark of a block quote, perhaps in list items. */
function startsQuote(line: string): boolean {
  return /[^ \t\d.)*+-]/.exec(line)?.[0] === '>'
}

/** Decides line by line whether a block quote continues: over lines without its mark, until a blank one. */
export class QuoteLines {
  readonly #lines: LineSplitter
  readonly #take: (isQuoted: boolean, next: number) => void
  #inQuote = false

  constructor(start: number, take: (isQuoted: boolean, next: number) => void) {
    this.#lines = new LineSplitter((text, _start, next) => this.#takeLine(text, next), start)
    this.#take = take
  }

  /** Takes the next piece of text. */
  push(chunk: string): void {
    this.#lines.push(chunk)
  }

  #takeLine(text: string, next: number): void {
    this.#inQuote ||= startsQuote(text)
    this.#take(this.#inQuote, next)
    if (isBlankPiece(text)) this.#inQuote = false
  }
}

/** `code`: shown as code or in a block quote, so no call of the answer; `none`: certainly the answer's own words; `open`: anything else. */
export type Quotation = 'code' | 'open' | 'none'

/**
 * Decides whether tags in an answer are quoted; asked in text order, it reads the answer once.
 *
 * Uncertain ones count as quoted: a missed tag costs a retry, and one turned into a call by mistake may cost
 * anything.
 */
export class Quotations {
  readonly #answer: Answer
  /** Where the first document with fences of its own starts, which renderers end at different lines. */
  readonly #nestedFence: number
  /** How far the answer was read. */
  #at: number
  /** Whether a call was passed over on the line that is read. */
  #behindCall = false
  /** Whether the answer is nothing but calls so far. */
  #bare = true
  #indented = false
  /** Whether something is open that no later line is certain to close. */
  #doubtful = false
  /** The lines since the last blank one. */
  #paragraph: 'none' | 'plain' | 'odd' = 'none'
  #inQuote = false

  constructor(answer: Answer, start = answer.bodyStart) {
    this.#answer = answer
    this.#nestedFence = answer.codeBlocks.find(({ holdsFences }) => holdsFences)?.span.start ?? Number.POSITIVE_INFINITY
    // Up to three spaces before the first word mean nothing.
    this.#at = start + (/^ {0,3}/.exec(answer.text.slice(start, start + 3))?.[0].length ?? 0)
  }

  /** How the tag at an offset is quoted. */
  at(offset: number): Quotation {
    const answer = this.#answer
    const lines = answer.text.slice(this.#at, offset).split(/\r\n?|\n/)
    this.#at = Math.max(this.#at, offset)
    const piece = lines.pop() ?? ''
    for (const line of lines) this.#endLine(line)
    this.#beginLine(piece)
    const isCode = this.#inQuote || answer.inCode(offset)
    // Front matter is not Markdown, and what is read as front matter may not be.
    this.#doubtful ||= isCode || (answer.frontMatters[0]?.span.start ?? offset) < offset || this.#nestedFence < offset
    // A tag that is quoted makes the rest of the answer doubtful.
    this.#doubtful ||= !this.#isOwn(piece)
    if (isCode) return 'code'
    return this.#doubtful ? 'open' : 'none'
  }

  /** Passes over a call, whose marks are not those of the answer. */
  skipTo(offset: number): void {
    this.#at = offset
    this.#behindCall = true
  }

  /** A quote goes on over lines without its mark, until a blank one. */
  #beginLine(line: string): void {
    this.#inQuote ||= !this.#behindCall && startsQuote(line)
  }

  /** Whether what comes before a tag on its line leaves it at the top level of the document. */
  #isOwn(piece: string): boolean {
    this.#leaveBare(piece)
    if (isBlankPiece(piece) && (this.#bare || this.#behindCall)) {
      this.#indented ||= piece !== '' && !this.#behindCall
      return true
    }
    return this.#paragraph !== 'odd' && (piece === '' || (this.#isProse(piece) && !hasMark(piece) && !hasMarkup(piece)))
  }

  #endLine(line: string): void {
    this.#beginLine(line)
    this.#leaveBare(line)
    this.#doubtful ||= hasMarkup(line) || hasOpenMark(line)
    if (!isBlankPiece(line)) this.#paragraph = this.#paragraph !== 'odd' && this.#isProse(line) ? 'plain' : 'odd'
    else if (this.#behindCall) this.#paragraph = 'plain'
    else {
      this.#paragraph = 'none'
      this.#inQuote = false
    }
    this.#behindCall = false
  }

  /** Calls alone may be indented; amid words that is code. */
  #leaveBare(piece: string): void {
    if (isBlankPiece(piece)) return
    this.#bare = false
    this.#doubtful ||= this.#indented
  }

  #isProse(piece: string): boolean {
    return (this.#behindCall || startsAsProse(piece)) && isPlain(piece)
  }
}
