/** The state of a line while it is read. */
interface Line {
  readonly start: number
  /** Where inline code ended last of which no part could be opened elsewhere. */
  codeEnd: number
  /** Whether it can be nothing but a paragraph, a heading or part of a fence. */
  plain: boolean
}

/** What the lines before a place say about whether it can occur in code. */
export interface LineState {
  readonly line: Readonly<Line>
  /** After the last blank line: no paragraph goes across. */
  readonly blankBefore: number
  /** Whether a run of backticks is open in this line. */
  readonly inRun: boolean
  /** Start of the last line before this one in which a run of backticks was left open. */
  readonly unbalanced: number
  /** Start of the last line in which a run of backticks may occur in a tag, an address or a cell of a table. */
  readonly doubtful: number
  /** Start of the last line, this one included, that may open a fence. */
  readonly fenceLike: number
  readonly spaceBefore: boolean
}

const lineFeed = 10
const carriageReturn = 13
const space = 32
const lessThan = 60
const backslash = 92
const backtick = 96
const bar = 124
const tilde = 126

/** Follows lines and backticks character by character, without knowing which blocks they are. */
export class LineWatch {
  readonly #runs = new RunBalance()
  #base = 0
  #done = 0
  #blank = true
  /** Whether the line so far has only marks of lists and quotes, and what may become a fence after them. */
  #inHead = true
  #headRun = 0
  #headChar = 0
  #run = 0
  #runEscaped = false
  #escaping = false
  #previous = lineFeed
  #line: Line = { start: 0, codeEnd: 0, plain: false }
  #htmlSeen = false
  /** After the last blank line. */
  blankEnd = 0
  #unbalanced = -1
  #doubtful = -1
  /** Whether something comes before, since the last blank line, that takes precedence over code. */
  #murky = false
  #fenceLike = -1

  /** Starts the text again at an offset. */
  restart(offset: number): void {
    this.#startLine(offset)
    this.#htmlSeen = false
    this.blankEnd = offset
    this.#unbalanced = -1
    this.#doubtful = -1
    this.#murky = false
    this.#fenceLike = -1
    this.#runs.clear()
    this.#run = 0
    this.#escaping = false
    this.#previous = lineFeed
  }

  /** Starts a chunk whose first index of interest is given. */
  open(base: number, from: number): void {
    this.#base = base
    this.#done = from
  }

  /** Reads the chunk up to an index. */
  advance(chunk: string, to: number): void {
    for (; this.#done < to; this.#done++) this.#take(chunk.charCodeAt(this.#done))
  }

  /** The state right before a bracket, which ends a run of backticks. */
  state(): LineState {
    this.#closeRun()
    return {
      line: this.#line,
      blankBefore: this.blankEnd,
      inRun: this.#runs.open,
      unbalanced: this.#unbalanced,
      doubtful: this.#doubtful,
      fenceLike: this.#fenceLike,
      spaceBefore: this.endsInSpace,
    }
  }

  /** Whether a block of HTML may have been opened somewhere. */
  get hasHtml(): boolean {
    return this.#htmlSeen
  }

  /** Start of the line that is being read. */
  get lineStart(): number {
    return this.#line.start
  }

  /** Whether the last character is a space. */
  get endsInSpace(): boolean {
    return this.#previous === space
  }

  #take(code: number): void {
    // Nearly always: a letter within a line.
    if ((code | 32) >= 97 && (code | 32) <= 122 && !this.#inHead && this.#run === 0) {
      this.#escaping = false
      this.#previous = code
      return
    }
    if (code === backtick) {
      if (this.#run === 0) this.#runEscaped = this.#escaping
      this.#run++
    } else if (this.#run > 0) this.#closeRun()
    this.#escaping = code === backslash && !this.#escaping
    if (takesPrecedence(code, this.#previous)) this.#blur(code)
    if (code === lineFeed || code === carriageReturn) this.#endLine(code)
    else {
      if (this.#inHead) this.#readHead(code)
      if (code !== space && code !== 9) this.#blank = false
    }
    this.#previous = code
  }

  #endLine(code: number): void {
    const offset = this.#base + this.#done
    // The second half of CRLF ends no other line.
    if (code === lineFeed && this.#previous === carriageReturn) {
      if (this.blankEnd === this.lineStart) this.blankEnd = offset + 1
      this.#startLine(offset + 1)
      return
    }
    if (this.#runs.open) this.#unbalanced = this.lineStart
    this.#runs.clear()
    if (this.#blank) {
      this.blankEnd = offset + 1
      this.#murky = false
    }
    this.#startLine(offset + 1)
  }

  #blur(code: number): void {
    this.#murky = true
    // Code that holds a bar is not code in a table.
    if (code === bar) this.#line.plain = false
  }

  #startLine(offset: number): void {
    this.#line = { start: offset, codeEnd: offset, plain: false }
    this.#blank = true
    this.#inHead = true
    this.#headRun = 0
  }

  #readHead(code: number): void {
    if (code === backtick || code === tilde) {
      this.#headRun = code === this.#headChar || this.#headRun === 0 ? this.#headRun + 1 : 0
      this.#headChar = code
      this.#inHead = this.#headRun > 0 && this.#headRun < 3
      if (this.#headRun === 3) this.#fenceLike = this.lineStart
    } else {
      this.#inHead = this.#headRun === 0 && marksContainer(code)
      if (code === lessThan && this.#headRun === 0) this.#htmlSeen = true
    }
    if (this.#base + this.#done === this.#line.start) this.#line.plain = !this.#htmlSeen && !marksContainer(code)
  }

  #closeRun(): void {
    if (this.#run === 0) return
    if (this.#murky) this.#doubtful = this.#line.start
    const wasOpen = this.#runs.open
    this.#runs.add(this.#run, this.#runEscaped)
    if (wasOpen && !this.#runs.open) this.#line.codeEnd = this.#base + this.#done
    this.#run = 0
  }
}

/** Tags, tables, and what a closing bracket or an address without brackets goes on with. */
function takesPrecedence(code: number, previous: number): boolean {
  if (code === lessThan || code === bar) return true
  if (previous === 93) return code === 40 || code === 91 || code === 58
  return (previous === 58 && code === 47) || (code === 46 && (previous === 119 || previous === 87))
}

/** White space, a byte order mark, and what quotes and list items are marked with. */
function marksContainer(code: number): boolean {
  return code <= space || code === 0xfeff || (code >= 48 && code <= 57) || containerMarks.has(code)
}

const containerMarks = new Set([...'>-+*.)'].map((mark) => mark.charCodeAt(0)))

/** Whether a run of backticks is open: one that a later run of its length would close, with all between as code. */
class RunBalance {
  /** Lengths of the open runs, in text order. */
  readonly #open: number[] = []
  readonly #placeOf = new Map<number, number>()

  /** Whether what follows may be in code. */
  get open(): boolean {
    return this.#open.length > 0
  }

  /** Adds the next run; a backslash before it keeps its first backtick from opening, and nothing from closing. */
  add(length: number, escaped: boolean): void {
    const opener = this.#placeOf.get(length)
    if (opener === undefined) {
      const opens = escaped ? length - 1 : length
      if (opens === 0 || this.#placeOf.has(opens)) return
      this.#placeOf.set(opens, this.#open.length)
      this.#open.push(opens)
      return
    }
    // What was opened inside of this code is code itself.
    while (this.#open.length > opener) this.#placeOf.delete(this.#open.pop() ?? 0)
  }

  /** Forgets all runs. */
  clear(): void {
    if (this.#open.length === 0) return
    this.#open.length = 0
    this.#placeOf.clear()
  }
}
