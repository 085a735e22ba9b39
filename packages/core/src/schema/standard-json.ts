import { isObject, type JsonObject } from '../json/json-value.ts'
import { type CompiledSchema, compileSchema } from './compile.ts'
import type { Quote } from './evaluate/show.ts'
import { plainPart } from './read/plain-part.ts'
import { readSchema } from './read/read-schema.ts'
import type { StandardLike } from './standard.ts'

/** Makes Zod and Valibot write `{}` for a type that JSON Schema lacks, such as a date; ArkType does so by itself. */
const lenient = { unrepresentable: 'any', errorMode: 'ignore' }

/** The JSON Schema of a library schema's input, as far as the library provides it; never throws. */
export function jsonSchemaOf(schema: StandardLike, target: 'draft-2020-12' | 'draft-07' = 'draft-2020-12'): JsonObject | undefined {
  const ways = [() => converterOf(schema)?.({ target, libraryOptions: lenient }), () => converterOf(schema)?.({ target })]
  for (const way of ways) {
    try {
      const converted: unknown = way()
      if (isObject(converted)) return converted
    } catch {}
  }
  return undefined
}

/** The JSON Schema of an object that provides one without validating itself; anything else unchanged. */
export function writtenSchema(schema: unknown): unknown {
  if (!isObject(schema) || !('~standard' in schema) || '$schema' in schema) return schema
  return jsonSchemaOf(schema as unknown as StandardLike) ?? schema
}

function converterOf(schema: StandardLike): ((options: object) => unknown) | undefined {
  const { jsonSchema } = schema['~standard'] as { readonly jsonSchema?: { readonly input?: unknown } }
  return typeof jsonSchema?.input === 'function' ? jsonSchema.input.bind(jsonSchema) : undefined
}

/** A JSON Schema that guides repairs. */
export interface GuidingSchema {
  readonly schema: unknown
  readonly compiled: CompiledSchema
}

/** The JSON Schema of a library's schema, ready to guide repairs; of one that cannot be used its plain part, and undefined where there is none. */
export function guidingSchema(standard: StandardLike, quote: Quote): GuidingSchema | undefined {
  const schema = jsonSchemaOf(standard)
  if (schema === undefined) return undefined
  const parts = [() => schema, () => plainPart(readSchema(schema).schema, true), () => plainPart(readSchema(schema).schema, false)]
  for (const part of parts) {
    try {
      const usable = part()
      return { schema: usable, compiled: compileSchema(usable, { draft: '2020-12', quote, format: 'annotate' }) }
    } catch {
      // The library's own validation decides: what its JSON Schema cannot say here only guides less.
    }
  }
  return undefined
}
