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
  readonly minItems?: number
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly default?: unknown
  readonly examples?: readonly unknown[]
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

/** Whether a validator has a repair, with some options at least; undefined when no options for it can be guessed. */
export function knowsRepair(definition: ValidatorDefinition & { readonly repairs?: boolean | undefined }): boolean | undefined {
  // One that lives in another thread was asked there.
  if ('repairs' in definition) return definition.repairs
  const schema = optionsSchema(definition, 'draft-2020-12') as JsonSchema | undefined
  let known: boolean | undefined
  for (const sample of schema ? samplesOf(schema) : [{}]) {
    const result = definition.options['~standard'].validate(sample)
    if (result instanceof Promise || result.issues) continue
    try {
      known = definition.prepare(result.value).repair !== undefined || known === true
    } catch {}
  }
  return known
}

/** The least options; all of them, and each in full, since some validators want one of several; and all switches on, since a repair may need one. */
function samplesOf(schema: JsonSchema): readonly unknown[] {
  const { properties = {} } = schema
  const switches = Object.entries(properties).filter(([, { type }]) => type === 'boolean')
  const least = sampleOf(schema)
  const on = { ...(least as object), ...Object.fromEntries(switches.map(([name]) => [name, true])) }
  const single = Object.entries(properties).map(([name, property]) => ({ ...(least as object), [name]: sampleOf(property, true) }))
  return [least, sampleOf({ ...schema, required: Object.keys(properties) }), ...single, on]
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

function namesOf({ required = [], properties = {} }: JsonSchema, isFull: boolean): readonly string[] {
  return isFull ? Object.keys(properties) : required
}

/** A value that a schema takes: as small as can be, or with everything in it. */
function sampleOf(schema: JsonSchema, isFull = false): unknown {
  if (schema.default !== undefined && !isFull) return schema.default
  if (schema.examples?.[0] !== undefined) return schema.examples[0]
  if (schema.enum || schema.const !== undefined) return schema.enum?.[0] ?? schema.const
  if (schema.anyOf?.[0]) return sampleOf(schema.anyOf[0], isFull)
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'object':
      return Object.fromEntries(namesOf(schema, isFull).map((name) => [name, sampleOf(schema.properties?.[name] ?? {}, isFull)]))
    case 'array':
      return isFull || (schema.minItems ?? 0) > 0 ? [sampleOf(schema.items ?? {}, isFull)] : []
    case 'integer':
    case 'number':
      return schema.minimum ?? (schema.exclusiveMinimum === undefined ? 1 : schema.exclusiveMinimum + 1)
    case 'boolean':
      return false
    default:
      return 'x'
  }
}
