/** Finds the child of a metric by its label values, without creating it each time. */
export type Series<Child> = (first?: string, second?: string, third?: string, fourth?: string) => Child

/** The children whose first values are the same. */
interface Level<Child> {
  readonly deeper: Map<string, Level<Child>>
  child?: Child
}

/**
 * Caches the children of a metric; beyond `most` of them, after many changes of the configuration,
 * all values become `other`.
 */
export function keepSeries<Child>(labels: number, make: (values: readonly string[]) => Child, most: number): Series<Child> {
  // One lookup per value is cheaper than a combined key, which would be built and hashed each time.
  const root: Level<Child> = { deeper: new Map() }
  let size = 0
  let rest: Child | undefined
  const add = (values: readonly string[]): Child => {
    if (size >= most) {
      rest ??= make(values.map(() => 'other'))
      return rest
    }
    const made = make(values)
    let level = root
    for (const value of values) {
      const next = level.deeper.get(value) ?? { deeper: new Map() }
      level.deeper.set(value, next)
      level = next
    }
    level.child = made
    size++
    return made
  }
  return (first = '', second = '', third = '', fourth = '') => {
    let level: Level<Child> | undefined = root
    if (labels > 0) level = level.deeper.get(first)
    if (labels > 1) level = level?.deeper.get(second)
    if (labels > 2) level = level?.deeper.get(third)
    if (labels > 3) level = level?.deeper.get(fourth)
    return level?.child ?? add([first, second, third, fourth].slice(0, labels))
  }
}
