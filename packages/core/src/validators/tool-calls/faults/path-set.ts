import type { Path } from './value-order.ts'

/** Places in arguments, found in time that does not depend on how many there are. */
export class PathSet {
  readonly #places = new Set<string>()
  readonly #above = new Set<string>()

  constructor(paths: Iterable<Path> = []) {
    for (const path of paths) this.add(path)
  }

  add(path: Path): void {
    this.#places.add(JSON.stringify(path))
    for (const above of upTo(path)) this.#above.add(above)
  }

  /** Whether it holds this place. */
  has(path: Path): boolean {
    return this.#places.has(JSON.stringify(path))
  }

  /** Whether it holds this place, or one inside of it. */
  hasInside(path: Path): boolean {
    return this.#above.has(JSON.stringify(path))
  }

  /** Whether it holds this place, one inside of it or one that it is inside of. */
  touches(path: Path): boolean {
    return this.hasInside(path) || upTo(path).some((above) => this.#places.has(above))
  }
}

function upTo(path: Path): string[] {
  return [...path.map((_, length) => JSON.stringify(path.slice(0, length))), JSON.stringify(path)]
}
