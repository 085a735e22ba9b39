import * as z from 'zod'

const count = () => z.int().nonnegative().optional()

/** The bounds of a number, as options. */
export const bounds = () => ({ min: count().describe('Fewest allowed.'), max: count().describe('Most allowed.') })

/** The bounds of a number. */
export interface Bounds {
  readonly min?: number | undefined
  readonly max?: number | undefined
}

/** Whether there is a bound at all. */
export const isBounded = ({ min, max }: Bounds): boolean => min !== undefined || max !== undefined

/** Whether some number keeps both bounds. */
export const isOrdered = ({ min = 0, max = Number.POSITIVE_INFINITY }: Bounds): boolean => min <= max

/** The message for missing bounds. */
export const unbounded = 'give min, max or both'

/** The message for contradictory bounds. */
export const unordered = 'min is greater than max'

/** Bounds, of which at least one is given. */
export const range = () => z.strictObject(bounds()).refine(isBounded, unbounded).refine(isOrdered, unordered)
