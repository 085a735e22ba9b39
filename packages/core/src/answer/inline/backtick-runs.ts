const backtick = 96

/** The runs of backticks of a text: which one closes which, in linear time when asked in text order. */
export class BacktickRuns {
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

  /** Whether a backtick is in a range. */
  any(from: number, to: number): boolean {
    return this.#text.slice(from, to).includes('`')
  }
}
