import type { Draft } from '../draft.ts'
import { Interpreter } from '../evaluate/interpreter.ts'
import { problemOf } from '../evaluate/messages.ts'
import type { Finding } from '../evaluate/run.ts'
import { quoteJson } from '../evaluate/show.ts'
import { SchemaError } from '../schema-error.ts'
import { budgetFor, type StepBudget } from '../step-budget.ts'
import { SchemaDocument } from './document.ts'
import { refuseEndless } from './endless.ts'
import { rulesOf } from './metaschemas.ts'
import type { RawSchema } from './subschemas.ts'

/** Turns plain data into a schema document; throws a SchemaError when it is not a schema of its draft. */
export type SchemaReader = (schema: RawSchema, draft: Draft) => SchemaDocument

/** Makes a reader that prepares the schema of each draft once. */
export function createSchemaReader(): SchemaReader {
  const prepared = new Map<Draft, Interpreter>()
  return (schema, draft) => {
    const rules = prepared.get(draft) ?? new Interpreter(new SchemaDocument(rulesOf(draft), draft))
    prepared.set(draft, rules)
    // What is read has a limit of its own.
    const budget = budgetFor(Number.POSITIVE_INFINITY)
    if (!rules.accepts(rules.root, schema, budget)) {
      const problems = explain(rules, schema, budget).map((finding) => problemOf(finding, quoteJson).message)
      throw new SchemaError('invalid', `the schema is invalid: ${problems.slice(0, 3).join(' ')}`)
    }
    const document = new SchemaDocument(schema, draft)
    refuseEndless(document)
    return document
  }
}

/** All that is wrong with a value that is known to be invalid; one finding when all of them cost too much. */
export function explain(interpreter: Interpreter, value: unknown, budget: StepBudget): Finding[] {
  try {
    return interpreter.findings(interpreter.root, value, budget)
  } catch (error) {
    if (error instanceof SchemaError) return [{ place: undefined, keyword: 'anyOf', params: {}, value }]
    throw error
  }
}
