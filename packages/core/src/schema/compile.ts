import { type Draft, draftOf } from './draft.ts'
import { Interpreter } from './interpreter.ts'
import { problemOf } from './messages.ts'
import type { SchemaProblem } from './problem.ts'
import { type ReadSchema, readSchema } from './read-schema.ts'
import { createSchemaReader, explain, type SchemaReader } from './schema-reader.ts'
import { type Quote, quoteJson } from './show.ts'
import { budgetFor, type StepBudget } from './step-budget.ts'

/** How to compile a schema. */
export interface SchemaOptions {
  /** The draft it is written in; what its `$schema` says by default, else 2020-12. */
  readonly draft?: Draft | undefined
  /** Fences model text in messages. */
  readonly quote?: Quote | undefined
}

/** A schema that values can be checked against, any number of times. */
export interface CompiledSchema {
  readonly draft: Draft
  readonly interpreter: Interpreter
  /** What is wrong with a value; empty when it is valid. Throws a SchemaError when that would cost too much. */
  validate(value: unknown, budget?: StepBudget): SchemaProblem[]
}

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
  return {
    draft,
    interpreter,
    validate(value, budget = budgetFor(Number.POSITIVE_INFINITY)) {
      if (interpreter.accepts(document.root, value, budget)) return []
      return explain(interpreter, value, budget).map((finding) => problemOf(finding, quote))
    },
  }
}
