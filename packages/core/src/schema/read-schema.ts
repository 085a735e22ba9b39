import type { JsonValue } from './json-value.ts'
import { SchemaError } from './schema-error.ts'
import { isSchema, type RawSchema } from './subschemas.ts'

/** A schema longer than this many characters, or deeper than this many levels, is refused. */
const largest = 1_000_000
const deepest = 256

/** A schema as plain data of our own, and the text that it is known by. */
export interface ReadSchema {
  readonly schema: RawSchema
  readonly text: string
}

/** Copies a schema that came from anywhere; throws a SchemaError when it is not one, too large or too deep. */
export function readSchema(input: unknown): ReadSchema {
  const text = write(input)
  if (text === undefined) throw new SchemaError('invalid', 'the schema is not an object, true or false')
  if (text.length > largest) throw new SchemaError('too-large', `the schema is larger than ${largest} characters`)
  if (depthOf(text) > deepest) throw new SchemaError('too-large', `the schema is nested deeper than ${deepest} levels`)
  const schema: JsonValue = JSON.parse(text)
  if (!isSchema(schema)) throw new SchemaError('invalid', 'the schema is not an object, true or false')
  return { schema, text }
}

function write(input: unknown): string | undefined {
  try {
    return JSON.stringify(input)
  } catch (error) {
    // Cycles, bigints, and nesting beyond the stack.
    throw new SchemaError('invalid', `the schema is not JSON: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`)
  }
}

function depthOf(text: string): number {
  let depth = 0
  let deepestSeen = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const unit = text[at]
    if (inString) {
      if (unit === '\\') at++
      else if (unit === '"') inString = false
    } else if (unit === '"') inString = true
    else if (unit === '{' || unit === '[') deepestSeen = Math.max(deepestSeen, ++depth)
    else if (unit === '}' || unit === ']') depth--
  }
  return deepestSeen
}
