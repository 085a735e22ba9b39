import type { Run } from '../../api/run-types.ts'

/** What a reader of a stream had at a moment, in milliseconds since the run began and in characters. */
export interface Moment {
  readonly ms: number
  readonly shown: number
  /** Characters that had come and were held back. */
  readonly held: number
  readonly attempt: number
}

const most = 10_000

/** Reads what a reader of a stream had, and when; nothing for other runs. */
export function readTimeline(timeline: Run['timeline']): readonly Moment[] {
  const points = (timeline ?? '').split(' ').map((point) => point.split(':').map(Number))
  const moments: Moment[] = []
  for (const [ms, shown, held = 0, attempt] of points.slice(0, most)) {
    const last = moments.at(-1)
    const number = attempt ?? last?.attempt ?? 1
    if (ms === undefined || shown === undefined || !(ms >= 0) || !(shown >= 0) || !(held >= 0) || !(number >= 1)) continue
    // Only a reader of a malformed line would see text disappear.
    if (last !== undefined && (ms < last.ms || shown < last.shown)) continue
    moments.push({ ms, shown, held, attempt: number })
  }
  return moments
}

const beginning: Moment = { ms: 0, shown: 0, held: 0, attempt: 1 }

/** What a reader had at a moment. */
export function momentAt(moments: readonly Moment[], ms: number): Moment {
  return moments.findLast((moment) => moment.ms <= ms) ?? beginning
}

/** The longest time in which text had come and the reader got none of it. */
export function longestHold(moments: readonly Moment[], endMs: number): number {
  let longest = 0
  let since: number | undefined
  for (const [at, { ms, shown, held }] of moments.entries()) {
    const isNew = shown > (moments[at - 1]?.shown ?? 0)
    if (since !== undefined && (isNew || held === 0)) {
      longest = Math.max(longest, ms - since)
      since = undefined
    }
    if (held > 0) since ??= ms
  }
  return since === undefined ? longest : Math.max(longest, endMs - since)
}

/** Text that came and that no reader ever got: of an attempt that was rejected, or replaced by a repair. */
export interface Dropped {
  readonly ms: number
  readonly attempt: number
  readonly characters: number
  /** What had been shown before it. */
  readonly after: number
}

/** All text that came and was never shown. */
export function droppedOf(moments: readonly Moment[]): readonly Dropped[] {
  return moments.flatMap((moment, at) => {
    const before = moments[at - 1]
    if (before === undefined) return []
    const isNext = moment.attempt !== before.attempt
    const characters = isNext ? before.held : before.shown + before.held - moment.shown - moment.held
    const isDropped = characters > 0 && (isNext || (moment.held === 0 && at === moments.length - 1))
    return isDropped ? [{ ms: moment.ms, attempt: before.attempt, characters, after: before.shown }] : []
  })
}
