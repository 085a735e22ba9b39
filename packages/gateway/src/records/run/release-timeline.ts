const mostPoints = 200
/** Milliseconds, characters shown, characters held and the attempt. */
const size = 4

/** Notes how many characters of a stream its reader had, how many were held back, and when; few points, whatever the number of events. */
export class ReleaseTimeline {
  readonly #points: number[] = []
  /** Characters that the reader has, and how many of the model's they stand for. */
  #shown = 0
  #used = 0
  /** Characters of the current attempt. */
  #arrived = 0
  /** Whether the attempt goes on from text that was shown: it may repeat any part of it, so that nobody knows how much of it is held. */
  #goesOn = false
  #attempt = 1
  /** Events that are closer together are one point. */
  #stepMs = 10

  /** Notes that characters of the model came, at a time since the run began. */
  arrive(ms: number, chars: number): void {
    this.#arrived += chars
    this.#note(ms)
  }

  /** Notes characters that were released; `raw` is how many of the model's they stand for. */
  add(ms: number, chars: number, raw = chars): void {
    this.#shown += chars
    this.#used += raw
    this.#note(ms)
  }

  /** Notes that another attempt begins: what is still held of the one before is never shown. */
  begin(ms: number, attempt: number): void {
    this.#drop()
    this.#attempt = attempt
    if (this.#points.length > 0) this.#note(ms, true)
  }

  /** Notes the end of the run, after which nothing is held. */
  end(ms: number): void {
    if (this.#held() === 0) return
    this.#drop()
    this.#note(ms, true)
  }

  /** The points as they are stored, `ms:shown:held:attempt` without what is as before; undefined when no text was shown. */
  value(): string | undefined {
    if (this.#shown === 0) return undefined
    const points = this.#points
    let text = ''
    let before = 1
    for (let at = 0; at < points.length; at += size) {
      const [ms = 0, shown = 0, held = 0, attempt = 1] = points.slice(at, at + size)
      text += `${at === 0 ? '' : ' '}${Math.max(0, Math.round(ms))}:${shown}`
      if (attempt !== before) text += `:${held}:${attempt}`
      else if (held > 0) text += `:${held}`
      before = attempt
    }
    return text
  }

  #held(): number {
    return this.#goesOn ? 0 : Math.max(0, this.#arrived - this.#used)
  }

  #drop(): void {
    this.#arrived = 0
    this.#used = 0
    this.#goesOn = this.#shown > 0
  }

  #note(ms: number, isKept = false): void {
    const points = this.#points
    const last = points.length - size
    const shownBefore = (at: number): number => points[at + 1] ?? 0
    // The first text, and the beginning of an attempt, are kept as they were.
    const isFirst = (shownBefore(last) === 0 && this.#shown > 0) || (shownBefore(last - size) === 0 && shownBefore(last) > 0)
    const isSame = points[last + 3] === points[last - 1]
    if (!isKept && !isFirst && last > 0 && isSame && ms - (points[last - size] ?? 0) < this.#stepMs) {
      points[last] = ms
      points[last + 1] = this.#shown
      points[last + 2] = this.#held()
      return
    }
    points.push(ms, this.#shown, this.#held(), this.#attempt)
    if (points.length > size * mostPoints) this.#thin()
  }

  /** Keeps every other point, the first and the last. */
  #thin(): void {
    const points = this.#points
    const kept: number[] = []
    for (let at = 0; at < points.length; at += size)
      if (at % (2 * size) === 0 || at === points.length - size) kept.push(...points.slice(at, at + size))
    points.splice(0, points.length, ...kept)
    this.#stepMs *= 2
  }
}
