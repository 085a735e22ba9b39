import { type Draft, draftOf } from './draft.ts'
import { Interpreter } from './evaluate/interpreter.ts'
import { problemOf } from './evaluate/messages.ts'
import type { Finding } from './evaluate/run.ts'
import { type Quote, quoteJson } from './evaluate/show.ts'
import type { SchemaProblem } from './problem.ts'
import { plainPart } from './read/plain-part.ts'
import { type ReadSchema, readSchema } from './read/read-schema.ts'
import { createSchemaReader, explain, type SchemaReader } from './read/schema-reader.ts'
import type { RawSchema } from './read/subschemas.ts'
import { SchemaError } from './schema-error.ts'
import { budgetFor, type StepBudget } from './step-budget.ts'

/** How to compile a schema. */
export interface SchemaOptions {
  /** The draft it is written in; what its `$schema` says by default, else 2020-12. */
  readonly draft?: Draft | undefined
  /** Fences model text in messages. */
  readonly quote?: Quote | undefined
  /** Reads it as providers read the schemas of tools: `nullable` allows null, what is not declared is remarked, and of one that cannot be used its plain part is. */
  readonly asMeant?: boolean | undefined
  /** Whether `format` is asserted, as it is by default, or only an annotation. */
  readonly format?: 'assert' | 'annotate' | undefined
}

/** A schema that values can be checked against, any number of times. */
export interface CompiledSchema {
  readonly draft: Draft
  readonly interpreter: Interpreter
  /** Why only a part of it is used. */
  readonly flaw?: SchemaError | undefined
  /** What is wrong with a value; empty when it is valid. Throws a SchemaError when that would cost too much. */
  validate(value: unknown, budget?: StepBudget): SchemaProblem[]
  /** Puts a finding of the interpreter into words. */
  describe(finding: Finding): SchemaProblem
}

/** Compiles a JSON Schema; throws a SchemaError for one that is wrong, too large, or refers to something outside. */
export function compileSchema(schema: unknown, options: SchemaOptions = {}): CompiledSchema {
  return compileRead(readSchema(schema), options, createSchemaReader())
}

/** Compiles a schema that was copied. */
export function compileRead({ schema }: ReadSchema, options: SchemaOptions, read: SchemaReader): CompiledSchema {
  try {
    return compilePart(schema, options, read)
  } catch (flaw) {
    if (!(options.asMeant && flaw instanceof SchemaError)) throw flaw
    return { ...compilePlainPart(schema, options, read), flaw }
  }
}

function compilePlainPart(schema: RawSchema, options: SchemaOptions, read: SchemaReader): CompiledSchema {
  try {
    return compilePart(plainPart(schema, true), options, read)
  } catch {
    return compilePart(plainPart(schema, false), options, read)
  }
}

function compilePart(schema: RawSchema, options: SchemaOptions, read: SchemaReader): CompiledSchema {
  const draft = options.draft ?? draftOf(schema)
  const quote = options.quote ?? quoteJson
  const document = read(schema, draft)
  const interpreter = new Interpreter(document, { asMeant: options.asMeant, assertsFormat: options.format !== 'annotate' })
  interpreter.prepare()
  const describe = (finding: Finding): SchemaProblem => problemOf(finding, quote)
  return {
    draft,
    interpreter,
    describe,
    validate(value, budget = budgetFor(Number.POSITIVE_INFINITY)) {
      if (interpreter.accepts(document.root, value, budget)) return []
      return explain(interpreter, value, budget).map(describe)
    },
  }
}
