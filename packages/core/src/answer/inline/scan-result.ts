/** Renderers differ here, or deciding would take more than linear time. */
export const doubtful = Symbol('doubtful')

/** The type of `doubtful`. */
export type Doubtful = typeof doubtful

/** Keeps attempts that fail late, and are made again from every character, linear. */
export class StepBudget {
  #left: number

  constructor(length: number) {
    this.#left = 64 * length + 1024
  }

  /** Pays for so many characters; false when nothing is left. */
  spend(steps: number): boolean {
    this.#left -= steps
    return this.#left > 0
  }
}
