import { catalogue, policySchema } from '@stickler/core'
import { isFields } from '@stickler/core/runners'
import * as z from 'zod'
import { takesSchemaFile } from '../reading/schema-files.ts'
import { configSchema } from './config-schema.ts'

type JsonSchema = Record<string, unknown>

/** The JSON Schema (draft 7) of `stickler.yaml`, for editors: made from what the file is checked with, options of every validator included. */
export function configJsonSchema(): JsonSchema {
  const schema = allowVariables(toJson(configSchema)) as { properties: Record<string, JsonSchema> } & JsonSchema
  return {
    ...schema,
    title: 'stickler.yaml',
    properties: { ...schema.properties, contracts: { ...schema.properties.contracts, additionalProperties: contractSchema() } },
  }
}

function contractSchema(): JsonSchema {
  const policy = toJson(policySchema) as { properties: Record<string, JsonSchema> } & JsonSchema
  const { $schema: _dialect, ...rest } = policy
  return {
    ...rest,
    properties: {
      preset: { enum: Object.keys(catalogue.presets), description: 'Start from a preset; everything else written here overrides it.' },
      checks: {
        type: 'array',
        items: { anyOf: checkSchemas() },
        description: 'What to check; with a preset, names choose among its checks.',
      },
      ...(allowVariables(policy.properties) as Record<string, JsonSchema>),
    },
  }
}

/** A check is a name, or one name with its options. */
function checkSchemas(): JsonSchema[] {
  const definitions = catalogue.validators.map(({ definition }) => definition)
  return [
    { enum: definitions.map(({ name }) => name) },
    ...definitions.map(({ name, summary, options }) => ({
      type: 'object',
      description: summary,
      properties: { [name]: optionsSchema(name, options) },
      required: [name],
      additionalProperties: false,
    })),
  ]
}

function optionsSchema(name: string, options: unknown): JsonSchema {
  if (!(options instanceof z.ZodType)) return {}
  const { $schema: _dialect, ...schema } = toJson(options)
  const file = { type: 'string', description: 'A JSON file that holds the schema, relative to this file; in place of `schema`.' }
  const complete = takesSchemaFile(name) ? { ...schema, properties: { ...Object(schema.properties), schemaFile: file } } : schema
  return { anyOf: [allowVariables(complete), { type: 'null' }] }
}

function toJson(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { target: 'draft-7', io: 'input', unrepresentable: 'any' }) as JsonSchema
}

/** Where a number or truth value stands, a variable may stand too. */
function allowVariables(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(allowVariables)
  if (!isFields(schema)) return schema
  const { type } = schema
  if (type === 'integer' || type === 'number' || type === 'boolean')
    return { ...schema, type: [type, 'string'], pattern: '^\\$\\{[^}]+\\}$' }
  return Object.fromEntries(
    Object.entries(schema).map(([key, inner]) => [key, key === 'default' || key === 'enum' ? inner : allowVariables(inner)]),
  )
}
