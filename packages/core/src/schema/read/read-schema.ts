import { errorMessage } from '../../answer/thrown.ts'
import type { JsonValue } from '../../json/json-value.ts'
import { endOfText, isClosing, isOpening, JsonWalker, openObject } from '../../json/json-walker.ts'
import { SchemaError } from '../schema-error.ts'
import { isSchema, type RawSchema } from './subschemas.ts'

/** A schema of more characters, levels or objects is refused: reading it would hold up everybody else. */
const largest = 1_000_000
const deepest = 256
const mostObjects = 20_000

/** A schema as plain data of our own, and the text that it is known by. */
export interface ReadSchema {
  readonly schema: RawSchema
  readonly text: string
}

/** Copies a schema that came from anywhere; throws a SchemaError when it is not one, too large or too deep. */
export function readSchema(input: unknown): ReadSchema {
  return readSchemaText(writeSchema(input))
}

/** Reads the text of a schema; throws a SchemaError when it is not one, too large or too deep. */
export function readSchemaText(text: string | undefined): ReadSchema {
  if (text === undefined) throw new SchemaError('invalid', 'the schema is not an object, true or false')
  if (text.length > largest) throw new SchemaError('too-large', `the schema is larger than ${largest} characters`)
  const { depth, objects } = measure(text)
  if (depth > deepest) throw new SchemaError('too-large', `the schema is nested deeper than ${deepest} levels`)
  if (objects > mostObjects) throw new SchemaError('too-large', `the schema contains more than ${mostObjects} objects`)
  const schema: JsonValue = JSON.parse(text)
  if (!isSchema(schema)) throw new SchemaError('invalid', 'the schema is not an object, true or false')
  return { schema, text }
}

/** The text that a schema is known by; undefined for what JSON has no text for. */
export function writeSchema(input: unknown): string | undefined {
  try {
    return JSON.stringify(input)
  } catch (error) {
    // Cycles, bigints, and nesting beyond the stack.
    throw new SchemaError('invalid', `the schema is not JSON: ${errorMessage(error).split('\n')[0]}`)
  }
}

function measure(text: string): { readonly depth: number; readonly objects: number } {
  let open = 0
  let depth = 0
  let objects = 0
  const walker = new JsonWalker(text)
  for (let code = walker.mark(); code !== endOfText; code = walker.mark()) {
    if (isOpening(code)) {
      depth = Math.max(depth, ++open)
      if (code === openObject) objects++
    } else if (isClosing(code)) open--
  }
  return { depth, objects }
}
