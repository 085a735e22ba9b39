import { checkSchemaSize as check } from '@stickler/core/runners'
import { wrongParameter } from './read-fields.ts'

/** Refuses a schema of a client that is too large to check answers against. */
export function checkSchemaSize(schema: unknown, param: string): void {
  check(schema, param, wrongParameter)
}
