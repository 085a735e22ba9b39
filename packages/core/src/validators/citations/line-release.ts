import { isDigit } from '../../answer/characters.ts'

const lineFeed = 10
const carriageReturn = 13
const openBracket = 91
const caret = 94
const openLenticular = 0x3010

/** Finds the lines that may be shown without those after them: up to where another line begins with words, not with a marker that belongs to what is above. */
export class LineRelease {
  /** Where such lines begin, those first that have been asked for. */
  #starts: number[] = []
  #next = 0
  #released = 0
  #lineStart = 0
  /** Whether no word and no marker is in the line so far. */
  #inHead = true
  #bracketed = false

  /** Starts the text again at an offset; what comes before is not part of it. */
  restart(offset: number): void {
    this.#startLine(offset)
    this.#starts.push(offset)
  }

  /** Reads a chunk, which starts at the offset `base`. */
  read(chunk: string, base: number): void {
    for (let index = 0; index < chunk.length; index++) {
      if (!this.#inHead) {
        index = endOfLine(chunk, index)
        if (index === chunk.length) return
      }
      const code = chunk.charCodeAt(index)
      if (code === lineFeed || code === carriageReturn) this.#startLine(base + index + 1)
      else this.#readHead(code)
    }
  }

  /** The last start of a line up to an offset. */
  before(offset: number): number {
    for (let start = this.#starts[this.#next]; start !== undefined && start <= offset; start = this.#starts[++this.#next])
      this.#released = start
    if (this.#next * 2 > this.#starts.length) {
      this.#starts = this.#starts.slice(this.#next)
      this.#next = 0
    }
    return this.#released
  }

  #startLine(offset: number): void {
    this.#lineStart = offset
    this.#inHead = true
    this.#bracketed = false
  }

  #readHead(code: number): void {
    const isMarker = code === openLenticular || (this.#bracketed && (code === caret || isDigit(code)))
    this.#bracketed = code === openBracket
    if (isMarker) this.#inHead = false
    else if (isWord(code)) {
      this.#inHead = false
      this.#starts.push(this.#lineStart)
    }
  }
}

/** Letters and digits of ASCII, and whatever else is seen. */
function isWord(code: number): boolean {
  if (code > 127) return code !== 0xa0 && code !== 0xfeff && code !== 0x200b
  return isDigit(code) || ((code | 32) >= 97 && (code | 32) <= 122)
}

function endOfLine(chunk: string, from: number): number {
  for (let index = from; index < chunk.length; index++) {
    const code = chunk.charCodeAt(index)
    if (code === lineFeed || code === carriageReturn) return index
  }
  return chunk.length
}
