type Container = Record<string, unknown> | unknown[]

/** Builds a JSON value piece by piece; what is there so far can be looked at any time. */
export class JsonBuilder {
  /** The value so far; undefined before it starts. */
  root: unknown
  readonly #open: Container[] = []
  readonly #keys: (string | number)[] = []

  /** The path to what is still being written: everything beside it is settled. */
  get openPath(): readonly (string | number)[] {
    return [...this.#keys]
  }

  /** Opens an object or array at the current place. */
  open(kind: 'object' | 'array'): void {
    const container: Container = kind === 'object' ? {} : []
    this.put(container)
    this.#open.push(container)
    this.#keys.push(kind === 'object' ? '' : 0)
  }

  /** Closes the innermost object or array. */
  close(): void {
    this.#open.pop()
    this.#keys.pop()
    this.next()
  }

  /** Names the member that comes next. */
  key(name: string): void {
    this.#keys[this.#keys.length - 1] = name
  }

  /** Puts a value at the current place; a string that grows is put again and again. */
  put(value: unknown): void {
    const container = this.#open.at(-1)
    const key = this.#keys.at(-1)
    if (container === undefined) this.root = value
    else if (Array.isArray(container)) container[key as number] = value
    else if (key === '__proto__') Object.defineProperty(container, key, { value, enumerable: true, configurable: true, writable: true })
    else container[key as string] = value
  }

  /** Goes on to the next place of an array. */
  next(): void {
    const container = this.#open.at(-1)
    if (Array.isArray(container)) this.#keys[this.#keys.length - 1] = container.length
  }
}
