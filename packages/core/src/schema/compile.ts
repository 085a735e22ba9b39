import { type Draft, draftOf } from './draft.ts'
import { generate, mayGenerateCode } from './generated.ts'
import { Interpreter } from './interpreter.ts'
import { problemOf } from './messages.ts'
import { isOrdinary } from './ordinary.ts'
import type { SchemaProblem } from './problem.ts'
import { type ReadSchema, readSchema } from './read-schema.ts'
import { createSchemaReader, explain, type SchemaReader } from './schema-reader.ts'
import { type Quote, quoteJson } from './show.ts'

/** How to compile a schema. */
export interface SchemaOptions {
  /** The draft it is written in; what its `$schema` says by default, else 2020-12. */
  readonly draft?: Draft | undefined
  /** Never generate code. */
  readonly interpreted?: boolean | undefined
  /** Fences model text in messages. */
  readonly quote?: Quote | undefined
}

/** A schema that values can be checked against, any number of times. */
export interface CompiledSchema {
  readonly draft: Draft
  /** Whether values will be checked by generated code once there have been many. */
  readonly generated: boolean
  readonly interpreter: Interpreter
  /** What is wrong with a value; empty when it is valid. Throws a SchemaError when that would cost too much. */
  validate(value: unknown): SchemaProblem[]
}

/** Values that are interpreted before code is generated: compiling takes as long as some hundreds of them. */
const warmUp = 200

/** Compiles a JSON Schema; throws a SchemaError for one that is wrong, too large, or refers to something outside. */
export function compileSchema(schema: unknown, options: SchemaOptions = {}): CompiledSchema {
  return compileRead(readSchema(schema), options, createSchemaReader())
}

/** Compiles a schema that was copied. */
export function compileRead({ schema }: ReadSchema, options: SchemaOptions, read: SchemaReader): CompiledSchema {
  const draft = options.draft ?? draftOf(schema)
  const quote = options.quote ?? quoteJson
  const document = read(schema, draft)
  const interpreter = new Interpreter(document)
  interpreter.prepare()
  const generated = options.interpreted !== true && isOrdinary(interpreter) && mayGenerateCode()
  let checks = 0
  let accepts: ((value: unknown) => boolean) | undefined
  return {
    draft,
    generated,
    interpreter,
    validate(value) {
      if (generated && ++checks === warmUp) accepts = generate(schema, draft)
      // Generated code only says yes or no; why not is for the interpreter to say.
      if (accepts?.(value) ?? interpreter.accepts(document.root, value)) return []
      return explain(interpreter, value).map((finding) => problemOf(finding, quote))
    },
  }
}
