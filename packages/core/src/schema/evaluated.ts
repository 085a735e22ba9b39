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

  has(key: string | number): boolean {
    return this.#all || this.#keys.has(key)
  }

  merge(other: Evaluated): void {
    if (other.#all) this.#all = true
    for (const key of other.#keys) this.#keys.add(key)
  }
}
