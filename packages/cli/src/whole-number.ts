import { InvalidArgumentError } from 'commander'

/** Reads an option that is a whole number within bounds. */
export function wholeNumber(least: number, most: number): (written: string) => number {
  return (written) => {
    const value = /^\d{1,12}$/.test(written) ? Number(written) : Number.NaN
    if (value >= least && value <= most) return value
    throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`)
  }
}
