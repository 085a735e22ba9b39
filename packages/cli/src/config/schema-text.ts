import type { Catalogue } from '@stickler/core'
import { configJsonSchema } from '@stickler/gateway/config'

/** The schema file for editors, next to the configuration. */
export const schemaName = 'stickler.schema.json'

/** The JSON Schema of a configuration, as it is written to a file. */
export function configSchemaText(catalogue?: Catalogue): string {
  return `${JSON.stringify(configJsonSchema(catalogue), undefined, 2)}\n`
}
