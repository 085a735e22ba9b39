const mostPoints = 200

/** Notes how many characters of a stream its reader had, and when; few points, whatever the number of events. */
export class ReleaseTimeline {
  /** Pairs of milliseconds and characters so far. */
  readonly #points: number[] = []
  #chars = 0
  /** Releases that are closer together are one point. */
  #stepMs = 10

  /** Notes characters that were released at a time since the run began. */
  add(ms: number, chars: number): void {
    this.#chars += chars
    const points = this.#points
    const last = points.length - 2
    // The first release is kept as it was.
    if (last > 0 && ms - (points[last - 2] ?? 0) < this.#stepMs) {
      points[last] = ms
      points[last + 1] = this.#chars
      return
    }
    points.push(ms, this.#chars)
    if (points.length > 2 * mostPoints) this.#thin()
  }

  /** Milliseconds and characters, as they are stored; undefined without any. */
  value(): string | undefined {
    const points = this.#points
    if (points.length === 0) return undefined
    let text = ''
    for (let at = 0; at < points.length; at += 2)
      text += `${at === 0 ? '' : ' '}${Math.max(0, Math.round(points[at] ?? 0))}:${points[at + 1]}`
    return text
  }

  /** Keeps every other point, the first and the last. */
  #thin(): void {
    const points = this.#points
    const kept: number[] = []
    for (let at = 0; at < points.length; at += 2)
      if (at % 4 === 0 || at === points.length - 2) kept.push(points[at] ?? 0, points[at + 1] ?? 0)
    points.splice(0, points.length, ...kept)
    this.#stepMs *= 2
  }
}
