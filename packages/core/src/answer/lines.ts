/** A line of text without its line break, and where the next one starts. */
export interface Line {
  readonly text: string
  readonly start: number
  readonly next: number
}

/** Takes one line: its text without the line break, where it starts, and where the next one starts. */
type LineTaker = (text: string, start: number, next: number) => void

/** May take whole lines, which end with LF, of a chunk at once: from `from`, whose offset is `start`. Returns where the next one begins. */
type LinesTaker = (chunk: string, from: number, start: number) => number

/** Cuts text into lines at LF, CRLF and CR, however the text is chunked. */
export class LineSplitter {
  readonly #take: LineTaker
  readonly #takeMany: LinesTaker | undefined
  #partial = ''
  #head = ''
  #start: number
  /** The last chunk ended in CR: LF may still follow and belongs to the same break. */
  #afterReturn = false

  constructor(take: LineTaker, start = 0, takeMany?: LinesTaker) {
    this.#take = take
    this.#start = start
    this.#takeMany = takeMany
  }

  /** The first visible character of the line that is not complete yet; empty when it has none. */
  get head(): string {
    return this.#head
  }

  /** The line that is not complete yet. */
  get partial(): string {
    return this.#partial
  }

  /** Takes the next piece of text. */
  push(chunk: string): void {
    if (chunk.length === 0) return
    let from = 0
    if (this.#afterReturn) {
      this.#afterReturn = false
      const breakLength = chunk.charCodeAt(0) === 10 ? 2 : 1
      from = breakLength - 1
      this.#finish('', breakLength)
    }
    let feed = chunk.indexOf('\n', from)
    let carriage = chunk.indexOf('\r', from)
    if (feed < 0 && carriage < 0) {
      this.#extend(from === 0 ? chunk : chunk.slice(from))
      return
    }
    while (feed >= 0 || carriage >= 0) {
      if (carriage < 0 || (feed >= 0 && feed < carriage)) {
        this.#finish(chunk.slice(from, feed), 1)
        from = carriage < 0 ? this.#finishMany(chunk, feed + 1) : feed + 1
      } else if (carriage === chunk.length - 1) {
        this.#extend(chunk.slice(from, carriage))
        this.#afterReturn = true
        return
      } else {
        const breakLength = feed === carriage + 1 ? 2 : 1
        this.#finish(chunk.slice(from, carriage), breakLength)
        from = carriage + breakLength
        carriage = chunk.indexOf('\r', from)
      }
      if (feed >= 0 && feed < from) feed = chunk.indexOf('\n', from)
    }
    this.#extend(chunk.slice(from))
  }

  /** Takes the last line, which has no line break. */
  end(): void {
    if (this.#afterReturn) this.#finish('', 1)
    this.#afterReturn = false
    if (this.#partial.length > 0) this.#finish('', 0)
  }

  #extend(piece: string): void {
    this.#partial += piece
    if (this.#head === '') this.#head = headOf(piece)
  }

  #finishMany(chunk: string, from: number): number {
    const next = this.#takeMany?.(chunk, from, this.#start) ?? from
    this.#start += next - from
    return next
  }

  #finish(rest: string, breakLength: number): void {
    const text = this.#partial.length > 0 ? this.#partial + rest : rest
    const start = this.#start
    this.#partial = ''
    this.#head = ''
    this.#start = start + text.length + breakLength
    this.#take(text, start, this.#start)
  }
}

/** Whether a line ends in a piece of text, which is short most of the time. */
export function hasBreak(piece: string): boolean {
  for (let at = 0; at < piece.length; at++) {
    const code = piece.charCodeAt(at)
    if (code === 10 || code === 13) return true
  }
  return false
}

/** The first visible character. */
function headOf(piece: string): string {
  const first = piece.charCodeAt(0)
  return first > 32 && first < 127 ? piece.charAt(0) : piece.trimStart().charAt(0)
}
