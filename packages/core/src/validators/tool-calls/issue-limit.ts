/** So many errors, and so many warnings, are worth reporting of one answer. */
const most = 50

/** Bounds the issues of an answer; errors and warnings apart, so that no flood of warnings hides an error. */
export class IssueLimit<Code extends string> {
  /** Whether an issue with this code is an error. */
  readonly isError: (code: Code) => boolean
  #errors = 0
  #warnings = 0

  constructor(isError: (code: Code) => boolean) {
    this.isError = isError
  }

  /** Whether enough errors have been found to stop looking. */
  get reached(): boolean {
    return this.#errors >= most
  }

  /** Whether an error has been found, so that the verdict does not depend on what cannot be checked. */
  get failed(): boolean {
    return this.#errors > 0
  }

  /** Counts an issue, and returns whether it may still be reported. */
  admits(code: Code): boolean {
    return this.isError(code) ? this.#errors++ < most : this.#warnings++ < most
  }
}
