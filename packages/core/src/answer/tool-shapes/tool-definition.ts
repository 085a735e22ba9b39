import { type Fields, field, firstField, isFields } from './fields.ts'
import { nativeCallName } from './native-calls.ts'
import { isParameter, planSchema } from './plan-parameters.ts'
import type { ToolCall } from './tool-call.ts'

/** Keywords that say something of an object, or about the schema itself; a schema of arguments has one of them, or is empty. */
const keywords = new Set(
  `$anchor $comment $defs $dynamicRef $id $ref $schema additionalProperties allOf anyOf const default definitions dependencies dependentRequired
  dependentSchemas deprecated description else enum example examples if maxProperties minProperties not nullable oneOf patternProperties
  properties propertyNames readOnly required then title type unevaluatedProperties writeOnly`.split(/\s+/),
)

/** Keywords that decide most; one that is inherited or hidden would be lost when the schema is written down. */
const decisive = ['$ref', 'allOf', 'anyOf', 'oneOf', 'properties', 'required', 'type']

/** JSON Schema as it is written down; undefined for what only looks like one, such as a bare record of parameters. */
function readableSchema(given: unknown): Fields | undefined {
  if (!isFields(given) || isLibrarySchema(given)) return undefined
  const writes = typeof field(given, 'toJSON') === 'function'
  const schema = writes ? written(given) : given
  if (!isFields(schema) || (writes && Object.keys(schema).length === 0)) return undefined
  const keys = Object.keys(schema)
  if (keys.length > 0 && !keys.some((key) => keywords.has(key))) return undefined
  if (decisive.some((key) => key in schema && !Object.prototype.propertyIsEnumerable.call(schema, key))) return undefined
  const parts = [schema, field(schema, 'properties')].filter(isFields)
  return parts.every(isOwn) ? schema : undefined
}

/** Promises and the schemas of libraries have these; Zod hides its own in the JSON Schema that it writes. */
function isLibrarySchema(schema: Fields): boolean {
  if ('~standard' in schema && !('$schema' in schema)) return true
  return ['then', 'parse', 'safeParse', 'validate'].some((name) => typeof field(schema, name) === 'function')
}

/** Whether all members are its own, and none is the schema of a library. */
function isOwn(map: Fields): boolean {
  for (const key in map) {
    const one = Object.hasOwn(map, key) ? field(map, key) : map
    if (one === map || typeof one === 'function' || (isFields(one) && isLibrarySchema(one))) return false
  }
  return true
}

function written(schema: Fields): unknown {
  try {
    return JSON.parse(JSON.stringify(schema))
  } catch {
    return undefined
  }
}

/** Deeper schemas are left as they are, and fail where they are used. */
const deepest = 100

/** JSON Schema of Gemini's own kind of schema, which writes its types in capitals and marks what may be null. */
function geminiSchema(schema: unknown, depth = 0): unknown {
  if (!isFields(schema) || depth > deepest) return schema
  const inner = (one: unknown): unknown => geminiSchema(one, depth + 1)
  const { type: given, nullable, properties, items, anyOf, ...rest } = schema
  const type = typeof given === 'string' ? given.toLowerCase() : given
  return {
    ...rest,
    ...(type === undefined || type === 'type_unspecified' ? {} : { type: nullable === true ? [type, 'null'] : type }),
    ...(isFields(properties)
      ? { properties: Object.fromEntries(Object.keys(properties).map((name) => [name, inner(field(properties, name))])) }
      : {}),
    ...(items === undefined ? {} : { items: inner(items) }),
    ...(Array.isArray(anyOf) ? { anyOf: anyOf.map(inner) } : {}),
  }
}

/** A tool that was offered to the model. */
export interface ToolDefinition {
  readonly name: string
  /** JSON Schema of the arguments; empty when anything goes. */
  readonly schema: Fields
  /** What is there instead: the schema of a library, or something unknown. */
  readonly foreign?: unknown
  /** `custom` when it takes free text. */
  readonly kind?: 'custom'
  /** The group that it was offered in. */
  readonly namespace?: string
}

/** What the caller runs: functions, Anthropic's own client tools, tools without a type; the provider runs the others itself. */
const callable = /^(?:function|custom|dynamic|(?:bash|text_editor|computer|memory)_\d{8})$/

/**
 * Reads the tools of a request: OpenAI's, Anthropic's, Gemini's, Bedrock's, MCP's, LangChain's, plain `{name, parameters}`, or a record of them by name,
 * as the AI SDK has it.
 *
 * Undefined when no tools are given. What has no name, or is run by the provider, is left out; of two tools with one name the first counts.
 */
export function readTools(value: unknown): ToolDefinition[] | undefined {
  if (Array.isArray(value)) return distinct(value.flatMap((tool) => readDeclared(tool) ?? [readTool(tool, undefined)]))
  if (!isFields(value) || !Object.keys(value).every((name) => isFields(field(value, name)))) return undefined
  return distinct(Object.keys(value).map((name) => readTool(field(value, name), name)))
}

/** The functions in one of Gemini's tools, or in one of OpenAI's namespaces. */
function readDeclared(tool: unknown): (ToolDefinition | undefined)[] | undefined {
  const inNamespace = field(tool, 'type') === 'namespace' ? field(tool, 'tools') : undefined
  if (Array.isArray(inNamespace)) {
    const namespace = field(tool, 'name')
    return inNamespace.map((one: unknown) => {
      const read = readTool(one, undefined)
      return read === undefined || typeof namespace !== 'string' ? read : { ...read, namespace }
    })
  }
  const declared = firstField(tool, 'functionDeclarations', 'function_declarations')?.given
  if (!Array.isArray(declared)) return undefined
  return declared.map((one: unknown) => {
    const name = field(one, 'name')
    const schema = firstField(one, 'parametersJsonSchema', 'parameters_json_schema')?.given ?? geminiSchema(field(one, 'parameters'))
    return typeof name === 'string' ? { name, ...readSchema(schema) } : undefined
  })
}

function readTool(tool: unknown, key: string | undefined): ToolDefinition | undefined {
  const type = field(tool, 'type') ?? undefined
  const native = key === undefined ? nativeCallName(tool) : undefined
  if (native !== undefined) return { name: native, schema: {} }
  if (key === undefined && type !== undefined && (typeof type !== 'string' || !callable.test(type))) return undefined
  const inner = firstField(tool, 'function', 'custom', 'toolSpec')?.given
  const definition = isFields(inner) ? inner : tool
  const name = key ?? field(definition, 'name')
  if (!isFields(definition) || typeof name !== 'string') return undefined
  const schema = schemaIn(definition)
  // Anthropic has this type for tools with a schema.
  return { name, ...readSchema(schema), ...(key === undefined && type === 'custom' && schema === undefined ? { kind: 'custom' } : {}) }
}

const schemaKeys = ['parameters', 'input_schema', 'inputSchema', 'schema', 'parametersJsonSchema', 'args_schema', 'params']

/** The schema of a tool, or the tool itself in a record of schemas; an unreadable field is not a schema. */
function schemaIn(definition: Fields): unknown {
  try {
    if ('~standard' in definition) return definition
    const given = schemaKeys.map((key) => definition[key]).find((one) => one !== undefined && one !== null)
    return given === undefined && isFields(definition.properties) ? definition : given
  } catch {
    return 'unreadable'
  }
}

function readSchema(given: unknown): Omit<ToolDefinition, 'name'> {
  if (given === undefined || given === null || given === true) return { schema: {} }
  if (Array.isArray(given)) return { schema: planSchema(given), ...(given.every(isParameter) ? {} : { foreign: given }) }
  // The AI SDK and Bedrock wrap JSON Schema.
  const wrapped = field(given, 'jsonSchema') ?? (isFields(field(field(given, 'json'), 'properties')) ? field(given, 'json') : undefined)
  const schema = readableSchema(wrapped ?? given)
  if (schema === undefined) return { schema: {}, foreign: given }
  return wrapped !== undefined && typeof field(given, 'validate') === 'function' ? { schema, foreign: given } : { schema }
}

function distinct(tools: readonly (ToolDefinition | undefined)[]): ToolDefinition[] {
  const known = new ToolIndex<ToolDefinition>([])
  return tools.filter((tool) => tool !== undefined).filter((tool) => known.add(tool))
}

/** Finds the tool that a call means: one of its name and its kind, and of its namespace where the call has one. */
export class ToolIndex<Tool extends ToolDefinition> {
  readonly #functions = new Map<string, Tool[]>()
  readonly #customs = new Map<string, Tool[]>()

  constructor(tools: readonly Tool[]) {
    for (const tool of tools) this.add(tool)
  }

  /** Adds a tool unless there is one of the same name, kind and namespace. */
  add(tool: Tool): boolean {
    const known = this.#listOf(tool)
    if (known?.some(({ namespace }) => namespace === tool.namespace)) return false
    if (known === undefined) (tool.kind === 'custom' ? this.#customs : this.#functions).set(tool.name, [tool])
    else known.push(tool)
    return true
  }

  /** None for the empty name, which means a call that cannot be recognised. */
  find(call: Pick<ToolCall, 'name' | 'kind' | 'namespace'>): Tool | undefined {
    const { name, namespace } = call
    return name === '' ? undefined : this.#listOf(call)?.find((tool) => namespace === undefined || tool.namespace === namespace)
  }

  #listOf({ name, kind }: Pick<ToolCall, 'name' | 'kind'>): Tool[] | undefined {
    return (kind === 'custom' ? this.#customs : this.#functions).get(name)
  }
}

/** How a tool or a call is named in messages. */
export function shownName({ name, kind, namespace }: Pick<ToolCall, 'name' | 'kind' | 'namespace'>): string {
  return `${namespace === undefined ? '' : `${namespace}.`}${name}${kind === undefined ? '' : ` (${kind})`}`
}
