import { type $ZodType, toJSONSchema } from 'zod/v4/core'
import { jsonSchemaOf } from '../../schema/standard-json.ts'
import type { ValidatorDefinition } from '../validator.ts'

/** One option of a validator, for tables and help. */
export interface OptionEntry {
  readonly name: string
  /** Its type in words, such as `integer`, `string[]` or `a | b`. */
  readonly type: string
  readonly required: boolean
  readonly default?: unknown
  readonly description: string
}

/** The part of a JSON Schema that tables are made of. */
interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly JsonSchema[]
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly default?: unknown
  readonly description?: string
}

/** The options of a validator; undefined when its schema cannot be looked into. */
export function describeOptions(
  definition: Pick<ValidatorDefinition, 'options'> & Partial<Pick<ValidatorDefinition, 'name' | 'short'>>,
): readonly OptionEntry[] | undefined {
  const schema = optionsSchema(definition, 'draft-2020-12') as JsonSchema | undefined
  return (
    schema &&
    Object.entries(schema.properties ?? {}).map(([name, property]) => ({
      name,
      type: typeOf(property),
      required: schema.required?.includes(name) ?? false,
      ...(property.default === undefined ? {} : { default: property.default }),
      description: `${property.description ?? ''}${name === definition.short ? ` Short form: \`${definition.name}: …\`.` : ''}`,
    }))
  )
}

/** The JSON Schema of a validator's options; undefined when it is not available. */
export function optionsSchema(
  { options }: Pick<ValidatorDefinition, 'options'>,
  target: 'draft-07' | 'draft-2020-12' = 'draft-07',
): Readonly<Record<string, unknown>> | undefined {
  const told = jsonSchemaOf(options, target)
  // Zod's small build leaves the converter out.
  if (told !== undefined || !('_zod' in options)) return told
  try {
    return toJSONSchema(options as unknown as $ZodType, { target, io: 'input', unrepresentable: 'any' })
  } catch {
    return undefined
  }
}

function typeOf(schema: JsonSchema): string {
  if (schema.enum) return schema.enum.map(String).join(' | ')
  if (schema.const !== undefined) return String(schema.const)
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(' | ')
  if (schema.items && schema.type === 'array')
    return `${/\W/.test(typeOf(schema.items)) ? `(${typeOf(schema.items)})` : typeOf(schema.items)}[]`
  return Array.isArray(schema.type) ? schema.type.join(' | ') : String(schema.type ?? 'anything')
}
