import { type CompiledSchema, compileRead, type SchemaOptions } from './compile.ts'
import { type Quote, quoteJson } from './evaluate/show.ts'
import { readSchemaText, writeSchema } from './read/read-schema.ts'
import { createSchemaReader } from './read/schema-reader.ts'

/** Compiled schemas by content, at most so many; the one used longest ago goes first. */
export interface SchemaCache {
  /** Gives the compiled schema of this content, compiling it when it is not known; throws a SchemaError as `compileSchema` does. */
  compile(schema: unknown, options?: Omit<SchemaOptions, 'quote'>): CompiledSchema
  readonly size: number
}

/** Makes an empty cache for at most `limit` compiled schemas, whose messages quote model text in one way. */
export function createSchemaCache(limit = 200, quote: Quote = quoteJson, format: SchemaOptions['format'] = 'assert'): SchemaCache {
  const entries = new Map<string, CompiledSchema>()
  const reader = createSchemaReader()
  return {
    compile(schema, { draft, asMeant } = {}) {
      const text = writeSchema(schema)
      const key = `${draft ?? ''} ${asMeant ?? ''} ${text}`
      const compiled = entries.get(key) ?? compileRead(readSchemaText(text), { draft, quote, asMeant, format }, reader)
      entries.delete(key)
      entries.set(key, compiled)
      const [oldest] = entries.keys()
      if (entries.size > limit && oldest !== undefined) entries.delete(oldest)
      return compiled
    },
    get size() {
      return entries.size
    },
  }
}
