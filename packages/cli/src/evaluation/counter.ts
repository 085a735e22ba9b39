/** Names that come from outside, such as codes of a remote rule, must not fill memory. */
const mostNames = 1000

/** The name that stands for all further ones. */
export const others = '…'

/** Counts by name. */
export class Counter {
  readonly #counts = new Map<string, number>()

  /** Counts once more, or several times. */
  add(name: string, times = 1): void {
    const known = this.#counts.get(name)
    const counted = known === undefined && this.#counts.size >= mostNames ? others : name
    this.#counts.set(counted, (this.#counts.get(counted) ?? 0) + times)
  }

  get(name: string): number {
    return this.#counts.get(name) ?? 0
  }

  /** All counts, the largest first, equal ones by name. */
  get entries(): readonly (readonly [name: string, count: number])[] {
    return [...this.#counts].sort(([a, one], [b, other]) => other - one || compareNames(a, b))
  }

  get data(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.entries)
  }
}

/** Orders names the same on every machine. */
export function compareNames(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
