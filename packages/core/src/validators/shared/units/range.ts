import * as z from 'zod'
import type { Locale } from '../../../contract/locale.ts'

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

/** How often something occurs, in words, by language. */
export const timesIn: Readonly<Record<Locale, (bounds: Bounds, never?: string) => string>> = {
  en: ({ min = 0, max = Number.POSITIVE_INFINITY }, never) => {
    if (max === Number.POSITIVE_INFINITY) return `at least ${englishTimes(min)}`
    if (max === min) return max === 0 && never !== undefined ? never : `exactly ${englishTimes(max)}`
    return min === 0 ? `at most ${englishTimes(max)}` : `${min} to ${max} times`
  },
  de: ({ min = 0, max = Number.POSITIVE_INFINITY }, never) => {
    if (max === Number.POSITIVE_INFINITY) return `mindestens ${min}-mal`
    if (max === min) return max === 0 && never !== undefined ? never : `genau ${max}-mal`
    return min === 0 ? `höchstens ${max}-mal` : `${min}- bis ${max}-mal`
  },
}

/** `once`, or so many times. */
export function englishTimes(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}
