/** The start and end of something in a list between brackets. */
export interface ListPart {
  readonly start: number
  readonly end: number
}

/** The ranges that take some parts out of a comma-separated list: one for each, none of which overlap. */
export function removalRanges(
  parts: readonly ListPart[],
  removed: readonly boolean[],
): (readonly [start: number, end: number] | undefined)[] {
  const lastKept = removed.lastIndexOf(false)
  return parts.map((part, index) => {
    if (!removed[index]) return undefined
    const next = parts[index + 1]
    // Before something that stays, the comma after goes; at the end, the comma before.
    if (index < lastKept || (lastKept < 0 && next)) return [part.start, next?.start ?? part.end]
    const previous = parts[index - 1]
    return lastKept < 0 || !previous ? [part.start, part.end] : [previous.end, part.end]
  })
}
