import { quotePattern } from '../evaluate/show.ts'
import { SchemaError } from '../schema-error.ts'

/** The error for a pattern that cannot be used. */
export function refuse(source: string, reason: string): SchemaError {
  return new SchemaError('pattern', `the pattern ${quotePattern(source)} cannot be used: ${reason}`)
}
