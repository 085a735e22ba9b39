import type { IncrementalCheck } from '../../contract/validator.ts'

/** The incremental form of a check that yields nothing but warnings: it never holds a stream back. */
export function releaseAll(): IncrementalCheck<never> {
  let safe = 0
  return {
    push(chunk) {
      safe += chunk.length
      return { safe }
    },
  }
}
