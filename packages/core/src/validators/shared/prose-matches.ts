import type { TextSpan } from '../../answer/span.ts'
import type { Machine, Reading } from '../../contract/machine/machine.ts'

/** A match in prose, and what is around it. */
export interface ProseMatch {
  readonly found: string
  readonly span: TextSpan
  /** The characters before it on its line, as far as they are looked at. */
  readonly before: string
  /** The rest of its line, likewise. */
  readonly after: string
}

/** What is searched for in prose. */
interface ProseRules {
  /** Global, and never empty; it looks at most at one character before a match and one behind it. */
  readonly pattern: RegExp
  /** What a match may begin with: these signs anywhere, and these letters at the start of a word. */
  readonly begins: Beginnings
  /** The end of a text that the next characters may turn into a match. */
  readonly unfinished: RegExp
  /** How many characters such an end has at most. */
  readonly reach: number
  /** Whether code is searched as well. */
  readonly code: boolean
  /** Reports a match that is wrong. */
  judge(match: ProseMatch): void
  /** Whether a match is none whatever follows the next two characters of its line, which `after` has. */
  dismisses?(match: ProseMatch): boolean
}

/** By the code of a character below 128, whether a match may begin with it: never, anywhere, or at the start of a word. */
export type Beginnings = Uint8Array
const anywhere = 1
const atWordStart = 2

/** Signs and letters with which matches begin. */
export function beginnings(signs: string, letters: string): Beginnings {
  return Uint8Array.from({ length: 128 }, (_, code) => {
    const character = String.fromCharCode(code)
    return signs.includes(character) ? anywhere : letters.includes(character) ? atWordStart : 0
  })
}

/** Where in a text a match may begin first, behind a character; -1 when none can. */
function firstBeginning(text: string, begins: Beginnings, before: number): number {
  let last = before
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const kind = code < 128 ? (begins[code] as number) : 0
    if (kind === anywhere || (kind === atWordStart && !isLetterOrDigit(last))) return at
    last = code
  }
  return -1
}

/** Whether a character is part of a word for certain. */
function isLetterOrDigit(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57)
}

/** How many characters around a match are looked at. */
const around = 400

/** Finds matches in prose: holds what may become one, and a match until it is known whether code holds it. */
export class ProseMatches implements Machine {
  readonly reach = around
  safe = Number.POSITIVE_INFINITY
  readonly #reading: Pick<Reading, 'closed' | 'inCode' | 'slice'>
  readonly #rules: ProseRules
  #matches: TextSpan[] = []
  /** How many of them were looked at, and may still be wrong. */
  #doubtful = 0
  #start = -1
  #length = 0
  /** The end of the text that is not searched for good, with the character before it. */
  #tail = ''
  #context = 0

  constructor(reading: Pick<Reading, 'closed' | 'inCode' | 'slice'>, rules: ProseRules) {
    this.#reading = reading
    this.#rules = rules
  }

  read(piece: string, at: number, isEnd: boolean): void {
    if (this.#start < 0) this.#start = at
    this.#length = at + piece.length
    // Nearly always: nothing is open, and nothing begins.
    if (!isEnd && this.#tail.length === this.#context && firstBeginning(piece, this.#rules.begins, this.#tail.charCodeAt(0)) < 0) {
      this.#context = 1
      this.#tail = piece.length === 1 ? piece : piece.charAt(piece.length - 1)
    } else this.#search(this.#tail + piece, isEnd)
    if (this.#matches.length > 0) this.#judge()
    if (this.#rules.dismisses && this.#matches.length > this.#doubtful) this.#dismiss(this.#rules.dismisses)
    this.safe = this.#matches[0]?.start ?? this.#length - this.#tail.length + this.#context
  }

  #search(text: string, isEnd: boolean): void {
    const { pattern } = this.#rules
    const offset = this.#length - text.length
    let at = this.#context
    let open = isEnd ? text.length : this.#openFrom(text, at)
    pattern.lastIndex = at
    // Not `matchAll`, which compiles the pattern again for every chunk.
    for (let found = pattern.exec(text); found && found.index <= open; found = pattern.exec(text)) {
      const end = found.index + found[0].length
      // The next character may still make it longer, or none.
      if (end === text.length && !isEnd) {
        open = found.index
        break
      }
      at = end
      this.#matches.push({ start: offset + found.index, end: offset + at })
      if (open < at) open = this.#openFrom(text, at)
    }
    this.#context = open > 0 ? 1 : 0
    this.#tail = text.slice(open - this.#context)
  }

  /** Where the end of a text begins that may become a match: one that starts in it may be part of that. */
  #openFrom(text: string, at: number): number {
    const { unfinished, reach } = this.#rules
    const from = Math.max(at, text.length - reach)
    const open = text.slice(from).search(unfinished)
    return open < 0 ? text.length : from + open
  }

  /** Forgets the matches that the characters behind them show to be something else, such as a link. */
  #dismiss(dismisses: (match: ProseMatch) => boolean): void {
    for (let span = this.#matches[this.#doubtful]; span && span.end + 2 <= this.#length; span = this.#matches[this.#doubtful]) {
      if (dismisses(this.#matchAt(span, span.end + 2))) this.#matches.splice(this.#doubtful, 1)
      else this.#doubtful++
    }
  }

  /** Judges the matches whose paragraphs are read: only then it is known what is code. */
  #judge(): void {
    const { code, judge } = this.#rules
    const { closed } = this.#reading
    const undecided = this.#matches.findIndex(({ end }) => end >= closed)
    const decided = this.#matches.splice(0, undecided < 0 ? this.#matches.length : undecided)
    this.#doubtful = Math.max(0, this.#doubtful - decided.length)
    for (const span of decided) if (code || !this.#reading.inCode(span.start)) judge(this.#matchAt(span, this.#length))
  }

  /** A match with what is around it, up to an offset. */
  #matchAt(span: TextSpan, last: number): ProseMatch {
    const { start, end } = span
    const before = this.#reading.slice({ start: Math.max(this.#start, start - around), end: start })
    const after = this.#reading.slice({ start: end, end: Math.min(last, end + around) })
    const line = Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1
    const next = after.search(/[\r\n]/)
    return { found: this.#reading.slice(span), span, before: before.slice(line), after: next < 0 ? after : after.slice(0, next) }
  }
}
