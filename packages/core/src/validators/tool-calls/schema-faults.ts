import type { Fields } from '../../answer/tool-shapes/fields.ts'
import { ValidatorUnavailable } from '../../contract/validator-unavailable.ts'
import type { SchemaCache } from '../../schema/cache.ts'
import type { SchemaProblem } from '../../schema/problem.ts'
import { SchemaError } from '../../schema/schema-error.ts'
import { budgetFor, type StepBudget } from '../../schema/step-budget.ts'
import { withinBudget } from '../shared/too-complex-value.ts'
import type { ArgumentFault, Path } from './check-arguments.ts'
import { needsEngine } from './needs-engine.ts'

/** A fault that only the whole of JSON Schema knows, in the words of its engine. */
export interface SchemaFault {
  readonly code: ArgumentFault['code'] | 'INVALID_ARGUMENT'
  readonly path: Path
  readonly message: string
}

const codes = new Map<string, ArgumentFault['code']>([
  ['required', 'MISSING_ARGUMENT'],
  ['dependentRequired', 'MISSING_ARGUMENT'],
  ['type', 'WRONG_TYPE'],
  ['enum', 'INVALID_ENUM'],
  ['const', 'INVALID_ENUM'],
  ['additionalProperties', 'UNKNOWN_ARGUMENT'],
  ['unevaluatedProperties', 'UNKNOWN_ARGUMENT'],
])

/** What JSON Schema finds wrong with arguments; that is more than types, members and names: limits, patterns, conditions. */
export function schemaFaults(schema: Fields, value: Fields, cache: SchemaCache, budget: StepBudget): SchemaFault[] {
  if (!needsEngine(schema)) return []
  try {
    const compiled = cache.compile(schema)
    const problems = withinBudget(
      () => compiled.validate(value, budget),
      () => compiled.validate({}, budgetFor(0)),
    )
    // OpenAPI's `nullable` is no keyword of JSON Schema; our own check of types knows it.
    return problems.filter(({ keyword, path }) => !isTypeOrMember(keyword) || valueAt(value, path) !== null).map(faultOf)
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error
    // Many tools have a schema with a slip, such as the type `dict`; models and providers take it as it is meant.
    if (error.reason === 'invalid') return []
    throw new ValidatorUnavailable(`the schema of a tool cannot be used: ${error.message}`)
  }
}

function faultOf({ path, keyword, message, params }: SchemaProblem): SchemaFault {
  const { missingProperty: missing } = params
  return { code: codes.get(keyword) ?? 'INVALID_ARGUMENT', path: typeof missing === 'string' ? [...path, missing] : path, message }
}

function isTypeOrMember(keyword: string): boolean {
  return keyword === 'type' || keyword === 'enum' || keyword === 'const'
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (at, step) => (typeof at === 'object' && at !== null ? (at as Record<string | number, unknown>)[step] : undefined),
    value,
  )
}
