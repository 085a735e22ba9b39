import type { JsonListener } from './json-listener.ts'

type Container = Record<string, unknown> | unknown[]
type Key = string | number

/** Builds a JSON value piece by piece; what is there so far can be looked at any time. */
export class JsonBuilder {
  /** The value so far; undefined before it starts. */
  root: unknown
  readonly #open: Container[] = []
  /** The member or item that is being written in each open container; undefined between two of them. */
  readonly #keys: (Key | undefined)[] = []
  readonly #listener: JsonListener | undefined

  constructor(listener?: JsonListener) {
    this.#listener = listener
  }

  /** The path to what is still being written: everything beside it is settled. */
  get openPath(): readonly Key[] {
    return this.#keys.filter((key) => key !== undefined)
  }

  /** Opens an object or array at the current place. */
  open(kind: 'object' | 'array'): void {
    const container: Container = kind === 'object' ? {} : []
    this.#place(container)
    this.#open.push(container)
    this.#keys.push(undefined)
    this.#listener?.open(kind)
  }

  /** Closes the innermost object or array. */
  close(): void {
    const container = this.#open.pop()
    this.#keys.pop()
    this.#settle()
    this.#listener?.close(container)
  }

  /** Names the member that comes next. */
  key(name: string): void {
    this.#keys[this.#keys.length - 1] = name
    this.#listener?.key(name)
  }

  /** Puts a whole value at the current place. */
  put(value: unknown): void {
    this.#place(value)
    this.#settle()
    this.#listener?.put(value)
  }

  /** Shows a string at the current place that may be replaced by a longer one. */
  show(text: string): void {
    this.#place(text)
    this.#listener?.grow(text)
  }

  #place(value: unknown): void {
    const container = this.#open.at(-1)
    if (container === undefined) {
      this.root = value
      return
    }
    const last = this.#keys.length - 1
    if (Array.isArray(container)) {
      const index = this.#keys[last] ?? container.length
      this.#keys[last] = index
      container[index as number] = value
      return
    }
    const key = this.#keys[last] as string
    // An assignment would set the prototype.
    if (key === '__proto__') Object.defineProperty(container, key, { value, enumerable: true, configurable: true, writable: true })
    else container[key] = value
  }

  /** Takes the last item out of the innermost array. */
  takeBack(): unknown {
    const container = this.#open.at(-1)
    this.#listener?.takeBack()
    return Array.isArray(container) ? container.pop() : undefined
  }

  #settle(): void {
    if (this.#keys.length > 0) this.#keys[this.#keys.length - 1] = undefined
  }
}
