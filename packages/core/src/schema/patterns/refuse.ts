import { SchemaError } from '../schema-error.ts'

/** The error for a pattern that cannot be used. */
export function refuse(source: string, reason: string): SchemaError {
  return new SchemaError('pattern', `the pattern ${JSON.stringify(source.slice(0, 120))} cannot be used: ${reason}`)
}
