import { refuse } from './refuse.ts'

/** Characters beyond ASCII whose answers are kept. */
const mostKept = 4_096

/** The characters that one step of a pattern takes; the native engine says which these are, one at a time, so that they mean what they mean in ECMA-262. */
export class CharacterSet {
  readonly #native: RegExp
  /** For each ASCII character: 0 not asked yet, 1 no, 2 yes. */
  readonly #ascii = new Uint8Array(128)
  readonly #others = new Map<number, boolean>()

  /** Reads the source of one class, escape or character; throws a SchemaError that quotes `pattern` when it is none. */
  constructor(source: string, ignoreCase: boolean, pattern: string) {
    try {
      // Sticky: without it, some versions of V8 miss characters beyond the basic plane.
      // backtracks: it is asked about one character
      this.#native = new RegExp(source, ignoreCase ? 'iuy' : 'uy')
    } catch (error) {
      const reason = error instanceof Error ? error.message.replace(/^Invalid regular expression: \/[\s\S]*\/\w*: /, '').slice(0, 200) : ''
      throw refuse(pattern, reason)
    }
  }

  has(code: number): boolean {
    if (code < 128) {
      if (this.#ascii[code] === 0) this.#ascii[code] = this.#ask(code) ? 2 : 1
      return this.#ascii[code] === 2
    }
    const known = this.#others.get(code)
    if (known !== undefined) return known
    if (this.#others.size >= mostKept) this.#others.clear()
    const found = this.#ask(code)
    this.#others.set(code, found)
    return found
  }

  #ask(code: number): boolean {
    this.#native.lastIndex = 0
    return this.#native.test(String.fromCodePoint(code))
  }
}
