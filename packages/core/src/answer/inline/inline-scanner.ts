import { isPunctuation } from '../characters.ts'
import { endOfTarget, endOfTitle, longestTitle, skipGap } from '../markdown/link-definition.ts'
import type { TextSpan } from '../span.ts'
import { InlineHtml } from './inline-html.ts'
import { type Doubtful, doubtful, StepBudget } from './scan-result.ts'

/** The runs of backticks of a text: which one closes which, in linear time when asked in text order. */
class BacktickRuns {
  readonly #text: string
  /** For each length the starts of the whole runs that have it, and which of them was used last. */
  readonly #ofLength = new Map<number, { readonly starts: number[]; next: number }>()

  constructor(text: string) {
    this.#text = text
    for (let at = text.indexOf('`'); at >= 0; at = text.indexOf('`', at)) {
      const end = this.endAt(at)
      const same = this.#ofLength.get(end - at)
      if (same) same.starts.push(at)
      else this.#ofLength.set(end - at, { starts: [at], next: 0 })
      at = end
    }
  }

  /** Where the run ends that goes on at an offset. */
  endAt(at: number): number {
    let end = at
    while (this.#text.charCodeAt(end) === backtick) end++
    return end
  }

  /** Where the code ends that a run opens: after the next whole run of its length. */
  endOfCode(start: number, end: number): number | undefined {
    const length = end - start
    const same = this.#ofLength.get(length)
    if (same === undefined) return undefined
    while ((same.starts[same.next] ?? Number.POSITIVE_INFINITY) < end) same.next++
    const closer = same.starts[same.next]
    return closer === undefined ? undefined : closer + length
  }
}

/** The brackets that are open: there are no links in links. */
class BracketStack {
  readonly #images: boolean[] = []
  /** So many of the outer ones hold a link. */
  #holding = 0

  /** Opens a bracket. */
  open(image: boolean): void {
    this.#images.push(image)
  }

  /** Closes the innermost bracket; undefined when there is none that could be a link, and otherwise whether it is that of an image. */
  close(): boolean | undefined {
    const image = this.#images.pop()
    if (image === undefined) return undefined
    const depth = this.#images.length
    const holdsLink = !image && depth < this.#holding
    this.#holding = Math.min(this.#holding, depth)
    return holdsLink ? undefined : image
  }

  /** Notes that what was closed last is a link. */
  link(): void {
    this.#holding = this.#images.length
  }
}

const backtick = 96
const bang = 33
const lessThan = 60
const openParen = 40
const closeParen = 41
const openBracket = 91
const backslash = 92
const closeBracket = 93

/** A line other than the first that is made of dashes, colons and bars: some renderers make a table of that. */
const delimiterRow = /\n[ \t:|]*-[ \t:|-]*(?:\n|$)/

/**
 * Finds inline code among everything that takes precedence over it: escapes, tags, autolinks, and the addresses of links.
 *
 * Where renderers differ, the search ends: what follows is not certain to be code.
 */
export class InlineScanner {
  readonly #text: string
  readonly #budget: StepBudget
  readonly #runs: BacktickRuns
  readonly #html: InlineHtml
  readonly #brackets = new BracketStack()
  readonly #inTable: boolean
  #at: number
  /** Up to here the text is known to hold no bare address with a backtick. */
  #plainTo = 0

  constructor(text: string, from: number) {
    this.#text = text
    this.#at = from
    this.#budget = new StepBudget(text.length)
    this.#runs = new BacktickRuns(text)
    this.#html = new InlineHtml(text, this.#budget)
    this.#inTable = delimiterRow.test(text)
  }

  /** The code that is certain, in text order. */
  findCode(): TextSpan[] {
    const found: TextSpan[] = []
    while (this.#at < this.#text.length) {
      const taken = this.#take()
      if (taken === doubtful) break
      if (taken !== undefined) found.push(taken)
    }
    return found
  }

  /** Takes what starts here; returns it when it is code. */
  #take(): TextSpan | Doubtful | undefined {
    const code = this.#text.charCodeAt(this.#at)
    if (code === backtick) return this.#takeRun()
    if (code === backslash) this.#at += isPunctuation(this.#text.charCodeAt(this.#at + 1)) ? 2 : 1
    else if (code === lessThan) return this.#skipTo(this.#html.endAt(this.#at) ?? this.#at + 1)
    else if (code === openBracket) this.#open(false)
    else if (code === bang && this.#text.charCodeAt(this.#at + 1) === openBracket) this.#open(true)
    else if (code === closeBracket) return this.#close()
    else if (this.#startsAddress(code)) return doubtful
    else this.#at++
    return undefined
  }

  #takeRun(): TextSpan | Doubtful | undefined {
    const start = this.#at
    const run = this.#runs.endAt(start)
    const end = this.#runs.endOfCode(start, run)
    this.#at = end ?? run
    if (end === undefined) return undefined
    return this.#inTable && !isOneCell(this.#text, start, end) ? doubtful : { start, end }
  }

  #open(image: boolean): void {
    this.#brackets.open(image)
    this.#at += image ? 2 : 1
  }

  #close(): Doubtful | undefined {
    this.#at++
    const isImage = this.#brackets.close()
    if (isImage === undefined || this.#text.charCodeAt(this.#at) !== openParen) return undefined
    const end = this.#endOfTail()
    if (end === undefined || end === doubtful) return end
    if (!isImage) this.#brackets.link()
    this.#at = end
    return undefined
  }

  /** Where `(address "title")` ends; undefined for anything else. */
  #endOfTail(): number | Doubtful | undefined {
    const text = this.#text
    const start = skipGap(text, this.#at + 1)
    const { end, read } = endOfTarget(text, start)
    if (!this.#budget.spend(read - this.#at)) return doubtful
    if (end === undefined || (end === start && text.charCodeAt(end) !== closeParen)) return undefined
    let next = skipGap(text, end)
    if (next > end && text.charCodeAt(next) !== closeParen) {
      const titled = endOfTitle(text, next)
      if (!this.#budget.spend(titled === undefined ? longestTitle : titled - next)) return doubtful
      next = titled === undefined ? next : skipGap(text, titled)
    }
    return text.charCodeAt(next) === closeParen ? next + 1 : undefined
  }

  #skipTo(end: number | Doubtful): Doubtful | undefined {
    if (end === doubtful) return doubtful
    this.#at = end
    return undefined
  }

  /** Some renderers turn a bare URL into a link, with everything in it. */
  #startsAddress(code: number): boolean {
    const isStart =
      (code === 58 && this.#text.startsWith('://', this.#at)) || (code === 46 && /www/i.test(this.#text.slice(this.#at - 3, this.#at)))
    if (!isStart || this.#at < this.#plainTo) return false
    let end = this.#at
    while (end < this.#text.length && !isAddressEnd(this.#text.charCodeAt(end))) {
      if (this.#text.charCodeAt(end) === backtick) return true
      end++
    }
    this.#plainTo = end
    return false
  }
}

function isAddressEnd(code: number): boolean {
  return code <= 32 || code === lessThan
}

/** Whether a range is in one cell: within its line and without a bar that is not escaped. */
function isOneCell(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code === 10 || (code === 124 && text.charCodeAt(at - 1) !== 92)) return false
  }
  return true
}
