const minuteMs = 60_000
/** One day in milliseconds. */
export const dayMs = 86_400_000

/** The lengths of periods, and for how many days each is kept beyond which only wider ones are; all periods begin at multiples of their length since 1970. */
export const widths = [
  { width: minuteMs, days: 2 },
  { width: 10 * minuteMs, days: 15 },
  { width: 60 * minuteMs, days: 100 },
  { width: 360 * minuteMs, days: 400 },
  { width: dayMs, days: Number.POSITIVE_INFINITY },
] as const

/** The sizes of the buckets of an overview, with the width that they are read from and the longest time that each is used for. */
const steps = [
  { step: minuteMs, width: minuteMs, longest: 2 * 60 * minuteMs },
  { step: 5 * minuteMs, width: minuteMs, longest: 4 * 60 * minuteMs },
  { step: 10 * minuteMs, width: 10 * minuteMs, longest: 30 * 60 * minuteMs },
  { step: 60 * minuteMs, width: 60 * minuteMs, longest: 5 * dayMs },
  { step: 360 * minuteMs, width: 360 * minuteMs, longest: 15 * dayMs },
  { step: dayMs, width: dayMs, longest: 200 * dayMs },
  { step: 7 * dayMs, width: dayMs, longest: 1400 * dayMs },
] as const

/** The size of the buckets for a time, and the width to read. */
export interface Step {
  readonly step: number
  readonly width: number
}

/** Chooses the size of buckets: about a hundred, of periods that are still kept. */
export function stepFor(since: number, until: number, now: number): Step {
  const found = steps.find(({ width, longest }) => until - since <= longest && isKept(width, since, now))
  // Periods of a day begin at multiples of a day, and so do buckets of many.
  return found ?? { step: Math.ceil((until - since) / (200 * dayMs)) * dayMs, width: dayMs }
}

/** A stretch of time, in periods of one width. */
export interface Stretch {
  readonly width: number
  readonly since: number
  readonly until: number
}

/** Covers a time with as few periods as possible, none narrower than `least`, of which both ends are multiples; the time that it takes does not depend on how long that is. */
export function stretchesOf(since: number, until: number, least: number): readonly Stretch[] {
  const usable = widths.filter(({ width }) => width >= least)
  const stretches: Stretch[] = []
  for (let place = since; place < until; ) {
    const at = usable.findLastIndex(({ width }) => place % width === 0 && place + width <= until)
    const width = usable[at]?.width ?? least
    const wider = usable[at + 1]?.width ?? Number.POSITIVE_INFINITY
    // Up to where a wider one may begin.
    const end = Math.min(place + Math.floor((until - place) / width) * width, (Math.floor(place / wider) + 1) * wider)
    const last = stretches.at(-1)
    if (last?.width === width) stretches[stretches.length - 1] = { ...last, until: end }
    else stretches.push({ width, since: place, until: end })
    place = end
  }
  return stretches
}

function isKept(wanted: number, since: number, now: number): boolean {
  // As many days again before are compared with.
  return widths.some(({ width, days }) => width === wanted && now - since <= (days / 2) * dayMs)
}

/** The narrowest width whose periods are still kept since some time. */
export function widthFor(since: number, now: number): number {
  return widths.find(({ width }) => isKept(width, since, now))?.width ?? dayMs
}
