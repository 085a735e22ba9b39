import { type Fields, isFields } from '../../../answer/tool-shapes/fields.ts'
import type { ToolDefinition } from '../../../answer/tool-shapes/tool-definition.ts'
import { kindOf } from '../../../json/json-value.ts'
import { parseJson } from '../../../json/parse-json.ts'
import { readPythonValue } from '../notations/python-calls.ts'

/** Deeper references are not followed. */
const deepest = 8

/** The types that a schema allows; none when it does not say. */
function typesOf(schema: unknown, root: Fields, depth = 0): ReadonlySet<string> {
  const types = new Set<string>()
  if (!isFields(schema) || depth > deepest) return types
  for (const type of [schema.type].flat()) if (typeof type === 'string') types.add(type)
  for (const value of Array.isArray(schema.enum) ? schema.enum : 'const' in schema ? [schema.const] : []) types.add(String(kindOf(value)))
  const parts = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((part) => (Array.isArray(part) ? part : []))
  if (typeof schema.$ref === 'string') parts.push(referred(schema.$ref, root))
  for (const part of parts) for (const type of typesOf(part, root, depth + 1)) types.add(type)
  if (types.size === 0 && isFields(schema.properties)) types.add('object')
  return types
}

function referred(reference: string, root: Fields): unknown {
  if (!reference.startsWith('#/')) return undefined
  let found: unknown = root
  for (const step of reference.slice(2).split('/')) found = isFields(found) && Object.hasOwn(found, step) ? found[step] : undefined
  return found
}

/** What is known of the type of an argument: by its schema, or else by what is written with it. */
export interface ArgumentType {
  readonly schema: unknown
  readonly root: Fields
  /** Whether the call itself says that it is a string, or that it is not. */
  readonly isString?: boolean | undefined
}

/** The type of an argument of a tool. */
export function typeOfArgument(tool: ToolDefinition | undefined, name: string, isString?: boolean): ArgumentType {
  const root = tool?.schema ?? {}
  const properties = isFields(root.properties) ? root.properties : {}
  return { schema: Object.hasOwn(properties, name) ? properties[name] : undefined, root, isString }
}

/** The JSON of an argument that is written without quotation marks: its schema decides whether `3` is a number. */
export function jsonOfArgument(written: string, { schema, root, isString }: ArgumentType): string {
  const types = typesOf(schema, root)
  const mayBeString = types.size === 0 ? isString !== false : types.has('string')
  if ((types.size === 0 && isString) || (types.size === 1 && mayBeString)) return JSON.stringify(written)
  const text = written.trim()
  for (const json of readings(text)) {
    const kind = String(kindOf(parseJson(json)))
    if (types.size === 0 ? kind !== 'string' || !mayBeString : allows(types, kind)) return json
  }
  return JSON.stringify(mayBeString ? written : text)
}

function* readings(text: string): Generator<string> {
  if (text === '' || text.length > longestLiteral(text)) return
  if (parseJson(text) !== undefined) yield text
  else {
    const literal = readPythonValue(text)
    if (literal !== undefined) yield literal
    // Some models escape the arguments once more.
    const escaped = text.includes('\\"') ? parseJson(`"${text}"`) : undefined
    if (typeof escaped === 'string' && parseJson(escaped) !== undefined) yield escaped
  }
}

/** A word or a number is short; only brackets and quotation marks may hold more. */
function longestLiteral(text: string): number {
  return /^[[{("'\\]/.test(text) ? Number.POSITIVE_INFINITY : 1000
}

function allows(types: ReadonlySet<string>, kind: string): boolean {
  return kind !== 'string' && (types.has(kind) || (kind === 'number' && types.has('integer')))
}

/** The object of arguments that were read one by one; undefined when one has two values. */
export function objectOf(members: Iterable<readonly [name: string, json: string]>): string | undefined {
  const given = new Map<string, string>()
  for (const [name, json] of members) {
    if ((given.get(name) ?? json) !== json) return undefined
    given.set(name, json)
  }
  return `{${[...given].map(([name, json]) => `${JSON.stringify(name)}: ${json}`).join(', ')}}`
}

/** The type of a member of an argument, or of its items. */
export function typeWithin({ schema, root }: ArgumentType, name: string): ArgumentType {
  return { schema: schemaWithin(schema, root, name, 0), root }
}

function schemaWithin(schema: unknown, root: Fields, name: string, depth: number): unknown {
  if (!isFields(schema) || depth > deepest) return undefined
  if (isFields(schema.properties) && Object.hasOwn(schema.properties, name)) return schema.properties[name]
  if (name === 'item' && schema.items !== undefined) return schema.items
  const parts = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((part) => (Array.isArray(part) ? part : []))
  if (typeof schema.$ref === 'string') parts.push(referred(schema.$ref, root))
  for (const part of parts) {
    const found = schemaWithin(part, root, name, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}
