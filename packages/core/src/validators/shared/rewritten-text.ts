import type { TextSpan } from '../../answer/span.ts'

/** A text of which some parts are read as something else, and where its characters come from. */
export class RewrittenText {
  /** The text as it is read. */
  readonly plain: string
  readonly #parts: TextSpan[] = []
  /** Where each part begins and ends in the text as it is read. */
  readonly #starts: number[] = []
  readonly #ends: number[] = []

  /** Rewrites what a global pattern matches from an offset on; undefined leaves a match as it is. */
  constructor(text: string, pattern: RegExp, read: (match: RegExpExecArray) => string | undefined, from = 0) {
    let plain = ''
    let at = 0
    for (const match of matchesFrom(pattern, text, from)) {
      const as = read(match)
      if (as === undefined) continue
      plain += text.slice(at, match.index)
      at = match.index + match[0].length
      this.#parts.push({ start: match.index, end: at })
      this.#starts.push(plain.length)
      plain += as
      this.#ends.push(plain.length)
    }
    this.plain = at === 0 ? text : plain + text.slice(at)
  }

  /** Whether any part is read as something else. */
  get isRewritten(): boolean {
    return this.#parts.length > 0
  }

  /** Where the original of the character at an offset starts. */
  start(offset: number): number {
    const index = lastUpTo(this.#starts, offset)
    const part = this.#parts[index]
    if (part === undefined) return offset
    const end = this.#ends[index] as number
    return offset < end ? part.start : part.end + offset - end
  }

  /** Where the original of the text before an offset ends; what is read as nothing behind it is not part of it. */
  end(offset: number): number {
    const index = lastUpTo(this.#starts, offset - 1)
    const part = this.#parts[index]
    if (part === undefined) return offset
    const end = this.#ends[index] as number
    return offset <= end ? part.end : part.end + offset - end
  }

  /** How many characters start before an offset of the original. */
  offsetOf(original: number): number {
    const index = lastUpTo(this.#parts, original - 1, ({ start }) => start)
    const part = this.#parts[index]
    return part === undefined ? original : (this.#ends[index] as number) + Math.max(0, original - part.end)
  }
}

/** The index of the last value that is not larger than a limit; -1 when all are. */
function lastUpTo<Value>(values: readonly Value[], limit: number, read: (value: Value) => number = Number): number {
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (read(values[middle] as Value) <= limit) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** The matches of a global pattern from an offset on; the text before it is only looked at as context. */
export function matchesFrom(pattern: RegExp, text: string, from: number): IterableIterator<RegExpExecArray> {
  return matches(pattern, text, from, ({ length }) => length)
}

/** The matches of a global pattern at every place where one begins, also inside another match. */
export function startsFrom(pattern: RegExp, text: string, from: number): IterableIterator<RegExpExecArray> {
  return matches(pattern, text, from, () => 1)
}

/** The matches of a pattern, each so far behind the start of the last as `step` says. */
function* matches(pattern: RegExp, text: string, from: number, step: (found: string) => number): IterableIterator<RegExpExecArray> {
  for (let at = from; ; ) {
    // Set anew every time: others may use the pattern in between.
    pattern.lastIndex = at
    const found = pattern.exec(text)
    pattern.lastIndex = 0
    if (found === null) return
    yield found
    at = found.index + Math.max(1, step(found[0]))
  }
}
