/** Thrown inside the parser at the first fault: bash reports no further ones. */
export class BashProblem extends Error {
  readonly start: number
  readonly end: number

  constructor(start: number, end: number, message: string) {
    super(message)
    this.start = start
    this.end = end
  }
}
