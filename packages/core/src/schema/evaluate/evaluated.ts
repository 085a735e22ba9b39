/** The properties and items of one value that some keyword has looked at, for `unevaluatedProperties` and `unevaluatedItems`. */
export class Evaluated {
  readonly #keys = new Set<string | number>()
  #all = false

  add(key: string | number): void {
    if (!this.#all) this.#keys.add(key)
  }

  addAll(): void {
    this.#all = true
  }

  get hasAll(): boolean {
    return this.#all
  }

  has(key: string | number): boolean {
    return this.#all || this.#keys.has(key)
  }

  /** Takes over what another has; says how many keys that were. */
  merge(other: Evaluated): number {
    if (other.#all) this.#all = true
    if (this.#all) return 0
    for (const key of other.#keys) this.#keys.add(key)
    return other.#keys.size
  }
}
