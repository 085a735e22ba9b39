import type { JsonRepair } from './result.ts'
import { JsonScanner } from './scanner.ts'

/** Reads JSON chunk by chunk and repairs it on the way: each chunk costs its own length, and any chunking gives the same result. */
export class JsonStream {
  readonly #scanner: JsonScanner
  #result: JsonRepair | undefined

  constructor(options: { readonly partial?: boolean } = {}) {
    this.#scanner = new JsonScanner(options)
  }

  /** Takes the next piece of text; what follows a complete value is ignored. */
  push(chunk: string): void {
    this.#scanner.push(chunk)
  }

  /** Ends the text. */
  finish(): JsonRepair {
    this.#result ??= this.#scanner.finish()
    return this.#result
  }

  /** The value so far, with strings that are still growing; the same objects are filled further by the next chunk. */
  get value(): unknown {
    return this.#scanner.value
  }

  /** The path to what is still being written: everything beside it is settled. */
  get openPath(): readonly (string | number)[] {
    return this.#scanner.openPath
  }

  /** Whether the value is complete or refused, so that more text changes nothing. */
  get finished(): boolean {
    return this.#scanner.finished
  }
}
