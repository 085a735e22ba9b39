import { RunnerFailure } from '@stickler/core'
import { because } from '@stickler/core/internal'

/**
 * The vector length of a model: from the settings, or from the first reply until two others in a
 * row agree on another.
 */
export class VectorLength {
  readonly #isFixed: boolean
  readonly #onChange: () => void
  #length: number | undefined
  #other: number | undefined

  /** `onChange` is called when earlier vectors become invalid. */
  constructor(fixed: number | undefined, onChange: () => void) {
    this.#isFixed = fixed !== undefined
    this.#length = fixed
    this.#onChange = onChange
  }

  /** Throws a RunnerFailure unless the vectors of a reply have that length. */
  check(vectors: readonly Float32Array[]): void {
    const [first] = vectors
    if (first === undefined) return
    for (const vector of vectors) if (vector.length !== first.length) throw unexpected(vector.length, first.length)
    this.#settle(first.length)
    if (first.length !== this.#length) throw unexpected(first.length, this.#length ?? 0)
  }

  #settle(length: number): void {
    if (this.#isFixed) return
    if (this.#length === undefined) this.#length = length
    else if (length !== this.#length && length === this.#other) {
      // One wrong reply must not invalidate all that follow.
      this.#length = length
      this.#onChange()
    }
    this.#other = length === this.#length ? undefined : length
  }
}

function unexpected(length: number, wanted: number): RunnerFailure {
  return new RunnerFailure('protocol', because([['vector_length', length, wanted]]))
}
