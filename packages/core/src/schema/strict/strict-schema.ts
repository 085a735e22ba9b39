import { isArray, isObject, type JsonObject, type JsonValue, kindOf, kinds, own } from '../../json/json-value.ts'

/** What a provider accepts of JSON Schema where it guarantees that answers match. */
interface StrictDialect {
  /** Whether an object may have properties that are not required. */
  readonly optional: boolean
  /** Whether a definition may refer to itself. */
  readonly recursive: boolean
  /** Values of `format` that it knows. */
  readonly formats: ReadonlySet<JsonValue>
  /** Constraints, beside `format`, that it enforces; others only reach the model as words. */
  enforces(keyword: string, value: JsonValue): boolean
  /** How much a schema may have of something, in all its parts together. */
  readonly most: Readonly<Record<'depth' | 'properties' | 'values' | 'optional' | 'unions', number>>
}

const formats = ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid']
const enforcedByOpenAi = new Set(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minItems', 'maxItems'])

/** The strict mode of OpenAI's chat completions and responses. */
export const openAiStrict: StrictDialect = {
  optional: false,
  recursive: true,
  formats: new Set(formats),
  enforces: (keyword) => enforcedByOpenAi.has(keyword),
  most: { depth: 10, properties: 5000, values: 1000, optional: 0, unions: Number.POSITIVE_INFINITY },
}

/** The structured output of Anthropic's Messages, which has no other mode. */
export const anthropicStrict: StrictDialect = {
  optional: true,
  recursive: false,
  formats: new Set([...formats, 'uri']),
  enforces: (keyword, value) => keyword === 'minItems' && (value === 0 || value === 1),
  most: { depth: 10, properties: 5000, values: 1000, optional: 24, unions: 16 },
}

/**
 * A schema in the form that a provider's strict mode requires; undefined when that would refuse values that the schema means. It is
 * closed where the schema is silent, and wider only by constraints that the provider does not enforce: the model reads those in descriptions.
 */
export function strictSchema(schema: JsonObject, dialect: StrictDialect): JsonObject | undefined {
  try {
    return new StrictWriter(schema, dialect).write()
  } catch (thrown) {
    if (thrown instanceof Unfit) return undefined
    throw thrown
  }
}

/** Thrown where a schema has something that the strict mode cannot say. */
class Unfit extends Error {}

/** Keywords without which an object that is closed would refuse values that the schema accepts. */
const unfit = [
  ...['allOf', 'if', 'then', 'else', 'dependentSchemas', 'dependencies', 'patternProperties', 'prefixItems'],
  ...['unevaluatedProperties', 'unevaluatedItems', '$anchor', '$dynamicAnchor', '$dynamicRef', '$recursiveAnchor', '$recursiveRef'],
]
/** Keywords that say what a value is made of, and not only how it is limited. */
const structural = ['type', 'enum', 'const', 'anyOf', 'oneOf', 'properties', 'required', 'additionalProperties', 'items']
/** Keywords that only limit values, by the type that they limit; without them a schema accepts more. */
const limits: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'pattern', 'format', 'contentEncoding', 'contentMediaType'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  array: ['minItems', 'maxItems', 'uniqueItems', 'contains', 'minContains', 'maxContains'],
  object: ['minProperties', 'maxProperties', 'propertyNames', 'dependentRequired'],
  any: ['not'],
}
/** So many strings in one list may have so many characters together. */
const longList = 250
const longListCharacters = 15_000

class StrictWriter {
  readonly #root: JsonObject
  readonly #dialect: StrictDialect
  readonly #definitions = new Map<string, JsonObject>()
  /** Definitions that are being written: to refer to one of them is a recursion. */
  readonly #open = new Set<string>()
  readonly #counts = { properties: 0, values: 0, optional: 0, unions: 0 }

  constructor(root: JsonObject, dialect: StrictDialect) {
    this.#root = root
    this.#dialect = dialect
  }

  write(): JsonObject {
    const { $id: _, ...root } = this.#root
    if (root.type !== 'object') throw new Unfit()
    this.#open.add('#')
    const written = this.#schema(root, 0)
    // A union has lost its type, and a list of values is not an object.
    if (written.type !== 'object') throw new Unfit()
    return this.#definitions.size === 0 ? written : { ...written, $defs: Object.fromEntries(this.#definitions) }
  }

  #schema(schema: JsonValue | undefined, depth: number): JsonObject {
    if (!isObject(schema) || depth > this.#dialect.most.depth || has(schema, ['$id', ...unfit])) throw new Unfit()
    const { $ref, anyOf, oneOf } = schema
    if ($ref !== undefined) return this.#reference(schema, depth)
    const variants = anyOf ?? oneOf
    if (variants !== undefined) return this.#union(schema, variants, depth)
    return this.#described(schema, has(schema, ['enum', 'const']) ? this.#values(schema) : this.#typed(schema, depth))
  }

  #reference(schema: JsonObject, depth: number): JsonObject {
    if (has(schema, structural)) throw new Unfit()
    const found = /^#(?:$|\/(?:\$defs|definitions)\/([^/~%#]+)$)/.exec(String(schema.$ref))
    if (found === null) throw new Unfit()
    const [, name = '#'] = found
    if (this.#open.has(name) && !this.#dialect.recursive) throw new Unfit()
    if (name === '#') return { $ref: '#' }
    if (!this.#open.has(name) && !this.#definitions.has(name)) this.#define(name, depth)
    // Nothing may be beside it, not even a description.
    return { $ref: `#/$defs/${name}` }
  }

  #define(name: string, depth: number): void {
    const { $defs, definitions } = this.#root
    const found = [$defs, definitions].flatMap((held) => (isObject(held) && Object.hasOwn(held, name) ? [held[name]] : []))
    if (found.length !== 1) throw new Unfit()
    this.#open.add(name)
    const written = this.#schema(found[0], depth)
    this.#open.delete(name)
    this.#definitions.set(name, written)
  }

  #union(schema: JsonObject, variants: JsonValue, depth: number): JsonObject {
    const others = structural.filter((keyword) => keyword !== 'anyOf' && keyword !== 'oneOf')
    if (!isArray(variants) || variants.length === 0 || has(schema, others) || (has(schema, ['anyOf']) && has(schema, ['oneOf'])))
      throw new Unfit()
    this.#count('unions', 1)
    return this.#described(schema, { anyOf: variants.map((variant) => this.#schema(variant, depth + 1)) })
  }

  /** A list of values, with their types. */
  #values(schema: JsonObject): JsonObject {
    const types = schema.type === undefined ? undefined : typesOf(schema.type)
    const given = Object.hasOwn(schema, 'const') ? [schema.const as JsonValue] : schema.enum
    if (!isArray(given)) throw new Unfit()
    const values = [...new Set(given)].filter((value) => types === undefined || types.some((type) => isOfType(value, type)))
    const text = values.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0)
    if (values.length === 0 || values.some((value) => typeof value === 'object' && value !== null)) throw new Unfit()
    if (values.length > longList && text > longListCharacters) throw new Unfit()
    this.#count('values', values.length)
    const found = [...new Set(values.map((value) => (Number.isInteger(value) ? 'integer' : (kindOf(value) as string))))]
    const needed = found.includes('number') ? found.filter((type) => type !== 'integer') : found
    return { type: needed.length === 1 ? (needed[0] as string) : needed, enum: values }
  }

  /** One of several types is a union: each has limits of its own. */
  #typed(schema: JsonObject, depth: number): JsonObject {
    const types = typesOf(schema.type)
    if (types.length === 1) return this.#ofType(types[0] as string, schema, depth)
    this.#count('unions', 1)
    return { anyOf: types.map((type) => this.#ofType(type, schema, depth + 1)) }
  }

  #ofType(type: string, schema: JsonObject, depth: number): JsonObject {
    const enforced = limitsOf(type, schema).filter(([keyword, value]) => this.#enforces(keyword, value))
    const shape = type === 'object' ? this.#object(schema, depth) : type === 'array' ? { items: this.#schema(schema.items, depth + 1) } : {}
    return { type, ...shape, ...Object.fromEntries(enforced) }
  }

  #object(schema: JsonObject, depth: number): JsonObject {
    const { properties = {}, required = [], additionalProperties: others } = schema
    const isClosed = others === false || (others === undefined && isObject(properties) && Object.keys(properties).length > 0)
    if (!isObject(properties) || !isArray(required) || !isClosed) throw new Unfit()
    const names = Object.keys(properties)
    if (required.some((name) => typeof name !== 'string' || !Object.hasOwn(properties, name))) throw new Unfit()
    const optional = names.filter((name) => !required.includes(name))
    this.#count('properties', names.length)
    const written = Object.fromEntries(names.map((name) => [name, this.#schema(properties[name], depth + 1)]))
    if (this.#dialect.optional) this.#count('optional', optional.length)
    // Where everything is required, null stands for what is absent, so it must be allowed already.
    else if (!optional.every((name) => this.#acceptsNull(written[name]))) throw new Unfit()
    return { properties: written, required: this.#dialect.optional ? required : names, additionalProperties: false }
  }

  #acceptsNull(schema: JsonValue | undefined, seen: readonly string[] = []): boolean {
    if (!isObject(schema)) return false
    const { type, enum: values, anyOf, $ref } = schema
    if (isArray(values)) return values.includes(null)
    if (isArray(anyOf)) return anyOf.some((variant) => this.#acceptsNull(variant, seen))
    const name = typeof $ref === 'string' ? $ref.replace('#/$defs/', '') : undefined
    if (name !== undefined) return !seen.includes(name) && this.#acceptsNull(this.#definitions.get(name), [...seen, name])
    return type === 'null'
  }

  /** Adds what the schema says about itself, and the limits that only words can set. */
  #described(schema: JsonObject, written: JsonObject): JsonObject {
    const types = schema.type === undefined || has(schema, ['enum', 'const']) ? [] : typesOf(schema.type)
    const all = [...types.flatMap((type) => limitsOf(type, schema)), ...limitsOf('any', schema)]
    const told = all.filter(([keyword, value], at) => !this.#enforces(keyword, value) && all.findIndex(([one]) => one === keyword) === at)
    const words = told.map(([keyword, value]) => `${keyword}: ${JSON.stringify(value)}`).join(', ')
    const { title, description } = schema
    const text = [typeof description === 'string' ? description : '', words === '' ? '' : `{${words}}`]
      .filter((part) => part !== '')
      .join('\n')
    return { ...(typeof title === 'string' ? { title } : {}), ...(text === '' ? {} : { description: text }), ...written }
  }

  #enforces(keyword: string, value: JsonValue): boolean {
    return keyword === 'format' ? this.#dialect.formats.has(value) : this.#dialect.enforces(keyword, value)
  }

  #count(what: Exclude<keyof StrictDialect['most'], 'depth'>, more: number): void {
    this.#counts[what] += more
    if (this.#counts[what] > this.#dialect.most[what]) throw new Unfit()
  }
}

function has(schema: JsonObject, keywords: readonly string[]): boolean {
  return keywords.some((keyword) => Object.hasOwn(schema, keyword))
}

/** The types of a schema, without integers where all numbers are allowed. */
function typesOf(type: JsonValue | undefined): readonly string[] {
  const types = [...new Set(isArray(type) ? type : [type])].filter((one): one is string => typeof one === 'string' && kinds.has(one))
  if (types.length === 0) throw new Unfit()
  return types.includes('number') ? types.filter((one) => one !== 'integer') : types
}

function limitsOf(type: string, schema: JsonObject): (readonly [string, JsonValue])[] {
  return (limits[type === 'integer' ? 'number' : type] ?? []).flatMap((keyword) => {
    const value = own(schema, keyword)
    return value === undefined ? [] : [[keyword, value] as const]
  })
}

function isOfType(value: JsonValue, type: string): boolean {
  return type === 'integer' ? Number.isInteger(value) : kindOf(value) === type
}
