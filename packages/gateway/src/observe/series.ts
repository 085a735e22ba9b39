/** Finds the child of a metric for the values of its labels, without making it anew each time. */
export type Series<Child> = (first?: string, second?: string, third?: string, fourth?: string) => Child

/** Keeps the children of a metric; beyond `most` of them, after many changes of the configuration, all values become `other`. */
export function keepSeries<Child>(labels: number, make: (values: readonly string[]) => Child, most: number): Series<Child> {
  const children = new Map<string, Child>()
  let rest: Child | undefined
  return (first = '', second = '', third = '', fourth = '') => {
    const key = `${first}\0${second}\0${third}\0${fourth}`
    const found = children.get(key)
    if (found !== undefined) return found
    if (children.size >= most) {
      rest ??= make(Array.from({ length: labels }, () => 'other'))
      return rest
    }
    const made = make([first, second, third, fourth].slice(0, labels))
    children.set(key, made)
    return made
  }
}
