import { configJsonSchema } from '@stickler/gateway/config'

/** The file that editors read the schema from, beside the configuration. */
export const schemaName = 'stickler.schema.json'

/** The JSON Schema of a configuration, as it is written to a file. */
export function configSchemaText(): string {
  return `${JSON.stringify(configJsonSchema(), undefined, 2)}\n`
}
