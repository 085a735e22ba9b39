/** The last millisecond that a date can have. */
const lastTime = 8.64e15
const wholeNumber = /^\d{1,16}$/
const isoTime = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d))?$/

/** Reads a time, as milliseconds since 1970 or in ISO 8601; undefined when it is neither. */
export function readTime(written: string): number | undefined {
  const time = wholeNumber.test(written) ? Number(written) : isoTime.test(written) ? Date.parse(written) : Number.NaN
  return time >= 0 && time <= lastTime ? time : undefined
}
