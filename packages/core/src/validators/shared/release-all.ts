import type { IncrementalCheck } from '../../contract/validator.ts'

const everything = { safe: Number.POSITIVE_INFINITY }

/** The incremental form of a check that finds no error in the text: it never holds a stream back. */
export function releaseAll(): IncrementalCheck<never> {
  return { push: () => everything }
}
