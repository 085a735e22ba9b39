import type { Catalogue, ValidatorDefinition } from '@stickler/core'
import { isFields, optionsSchema, policySchema, termsSchema } from '@stickler/core/internal'
import { takesSchemaFile } from '@stickler/node/internal/config'
import { catalogue as ownCatalogue } from '@stickler/presets'
import * as z from 'zod'
import { configSchema } from './config-schema.ts'

type JsonSchema = Record<string, unknown>

/**
 * The JSON Schema (draft 7) of `stickler.yaml`, for editors: generated from the schema that checks
 * the file, with the options of every validator of the catalogue.
 */
export function configJsonSchema(catalogue: Catalogue = ownCatalogue): JsonSchema {
  const schema = allowVariables(toJson(configSchema)) as { properties: Record<string, JsonSchema> } & JsonSchema
  const recursive = catalogue.validators.flatMap(({ definition }) => {
    const options = optionsOf(definition)
    return refersToItself(options) ? [[definition.name, referringTo(options, `#/definitions/${definition.name}`)] as const] : []
  })
  return {
    ...schema,
    title: 'stickler.yaml',
    properties: { ...schema.properties, contracts: { ...schema.properties.contracts, additionalProperties: contractSchema(catalogue) } },
    ...(recursive.length === 0 ? {} : { definitions: { ...Object(schema.definitions), ...Object.fromEntries(recursive) } }),
  }
}

function contractSchema({ validators, presets }: Catalogue): JsonSchema {
  const policy = toJson(policySchema) as { properties: Record<string, JsonSchema> } & JsonSchema
  const { $schema: _dialect, ...rest } = policy
  return {
    ...rest,
    properties: {
      preset: { enum: Object.keys(presets), description: 'Start from a preset; everything else written here overrides it.' },
      checks: {
        type: 'array',
        items: { anyOf: checkSchemas(validators) },
        description: 'What to check; with a preset, names choose among its checks.',
      },
      ...(allowVariables(policy.properties) as Record<string, JsonSchema>),
    },
  }
}

/** A check is a name, or one name with its options, and what goes beside them. */
function checkSchemas(validators: Catalogue['validators']): JsonSchema[] {
  const { properties: terms } = toJson(termsSchema)
  const definitions = validators.map(({ definition }) => definition)
  return [
    { enum: definitions.map(({ name }) => name) },
    ...definitions.map((definition) => ({
      type: 'object',
      description: definition.summary,
      properties: { [definition.name]: bodySchema(definition), ...Object(terms) },
      required: [definition.name],
      additionalProperties: false,
    })),
  ]
}

function bodySchema(definition: ValidatorDefinition): JsonSchema {
  const schema = optionsOf(definition)
  if (Object.keys(schema).length === 0) return {}
  const full = refersToItself(schema) ? { $ref: `#/definitions/${definition.name}` } : schema
  const { [definition.short ?? '']: short } = Object(schema.properties) as JsonSchema
  return { anyOf: [full, ...(short === undefined ? [] : [short]), { type: 'null' }] }
}

/** The options of a validator; empty when its schema is unknown. */
function optionsOf(definition: ValidatorDefinition): JsonSchema {
  const { $schema: _dialect, ...schema } = (optionsSchema(definition) ?? {}) as JsonSchema
  const file = { type: 'string', description: 'A JSON file that holds the schema, relative to this file; in place of `schema`.' }
  const complete = takesSchemaFile(definition.name) ? { ...schema, properties: { ...Object(schema.properties), schemaFile: file } } : schema
  return allowVariables(complete) as JsonSchema
}

/**
 * References start at the root of a document, so a schema that has some cannot simply be embedded
 * in another.
 */
function refersToItself(schema: JsonSchema): boolean {
  return JSON.stringify(schema).includes('"$ref":"#')
}

function referringTo(schema: unknown, root: string): unknown {
  if (Array.isArray(schema)) return schema.map((item) => referringTo(item, root))
  if (!isFields(schema)) return schema
  const { $ref } = schema
  if (typeof $ref === 'string' && $ref.startsWith('#')) return { ...schema, $ref: `${root}${$ref.slice(1)}` }
  return Object.fromEntries(Object.entries(schema).map(([key, inner]) => [key, referringTo(inner, root)]))
}

function toJson(schema: z.core.$ZodType): JsonSchema {
  return z.toJSONSchema(schema, { target: 'draft-7', io: 'input', unrepresentable: 'any' }) as JsonSchema
}

/** A variable is allowed in place of a number or boolean. */
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
