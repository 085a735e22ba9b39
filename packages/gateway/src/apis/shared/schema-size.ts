import { checkSchemaSize as check } from '@stickler/core/runners'
import { wrongParameter } from './read-fields.ts'

/** Rejects a client's schema that is too large to check answers against. */
export function checkSchemaSize(schema: unknown, param: string): void {
  check(schema, param, wrongParameter)
}
