import { type Fields, field, isFields } from '../../../answer/tool-shapes/fields.ts'
import { jsonType } from '../../../answer/tool-shapes/plan-parameters.ts'
import type { Locale } from '../../../contract/locale.ts'
import { ValidatorUnavailable } from '../../../contract/validator-unavailable.ts'
import type { SchemaCache } from '../../../schema/cache.ts'
import type { CompiledSchema } from '../../../schema/compile.ts'
import type { Finding } from '../../../schema/evaluate/run.ts'
import { pathTo, wordsOf } from '../../../schema/problem.ts'
import { SchemaError } from '../../../schema/schema-error.ts'
import { budgetFor, type StepBudget } from '../../../schema/step-budget.ts'
import { costFault } from '../../shared/too-complex-value.ts'
import { type Path, valueOrder } from './value-order.ts'

/** Keywords whose value is not a schema, whatever it looks like. */
const values = new Set(['enum', 'const', 'default', 'examples', 'example'])

/** Keywords whose value has schemas by name. */
const maps = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])

/** Keywords whose schemas are of parts of the value, of which `required: false` says nothing, and `true` what their whole requires. */
const parts = new Set(['properties', 'patternProperties', 'additionalProperties', 'items'])

/** A schema without the slips that models and providers read over: Python's names of types, such as `dict`, and `required: true` at a property. */
function asMeant(schema: Fields): Fields {
  return replaced(schema, false) as Fields
}

function replaced(schema: unknown, isPart: boolean): unknown {
  if (Array.isArray(schema)) return schema.map((one) => replaced(one, isPart))
  if (!isFields(schema)) return schema
  const entries = Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
    // It is unknown which arguments a global `required: true` means.
    if (key === 'required' && typeof value === 'boolean') return value && !isPart ? [[key, value]] : []
    if (values.has(key)) return [[key, value]]
    if (maps.has(key) && isFields(value))
      return [[key, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, replaced(one, parts.has(key))]))]]
    if (key !== 'type') return [[key, replaced(value, parts.has(key))]]
    return [[key, Array.isArray(value) ? value.map(jsonType) : isFields(value) ? replaced(value, false) : jsonType(value)]]
  })
  const required = requiredParts(schema)
  return Object.fromEntries(required.length > 0 ? [...entries, ['required', required]] : entries)
}

/** The properties that are required, by the list or by themselves; none where the list is all there is. */
function requiredParts({ properties, required }: Fields): readonly unknown[] {
  const own = isFields(properties) ? Object.keys(properties).filter((name) => field(properties[name], 'required') === true) : []
  return own.length > 0 ? [...new Set([...(Array.isArray(required) ? required : []), ...own])] : []
}

/** One way in which arguments do not fit the schema of their tool. */
export interface ArgumentFault {
  readonly code: 'MISSING_ARGUMENT' | 'WRONG_TYPE' | 'INVALID_ENUM' | 'UNKNOWN_ARGUMENT' | 'INVALID_ARGUMENT'
  readonly path: Path
  readonly finding: Finding
  /** What JSON Schema says of it. */
  message(locale: Locale): string
}

const codes = new Map<string, ArgumentFault['code']>([
  ['required', 'MISSING_ARGUMENT'],
  ['dependentRequired', 'MISSING_ARGUMENT'],
  ['type', 'WRONG_TYPE'],
  ['enum', 'INVALID_ENUM'],
  ['const', 'INVALID_ENUM'],
  ['undeclaredProperties', 'UNKNOWN_ARGUMENT'],
  ['additionalProperties', 'UNKNOWN_ARGUMENT'],
  ['unevaluatedProperties', 'UNKNOWN_ARGUMENT'],
])

/** Keywords for which there are words of our own; the others are reported in those of JSON Schema. */
const worded = new Set(['required', 'type', 'enum', 'const', 'undeclaredProperties'])

/** Yields what is wrong with arguments, in their order: types, members and names first, then limits, patterns and conditions. */
export function* argumentFaults(schema: Fields, value: Fields, cache: SchemaCache, budget: StepBudget): Generator<ArgumentFault> {
  const compiled = compile(schema, cache)
  const found: Finding[] = []
  let cost: unknown
  try {
    compiled.interpreter.examine(value, budget, found)
  } catch (error) {
    cost = costFault(error, () => compiled.interpreter.examine({}, budgetFor(0), []))
  }
  const faults = found.map((finding) => faultOf(finding, compiled))
  const inWords = faults.filter(({ finding }) => worded.has(finding.keyword))
  const others = faults.filter(({ finding }) => !worded.has(finding.keyword))
  yield* valueOrder(inWords, value)
  // An undeclared name is reported once, even where the schema forbids it.
  const keyOf = ({ code, path }: ArgumentFault): string => JSON.stringify([code, ...path])
  const told = new Set(inWords.map(keyOf))
  yield* others.filter((fault) => !told.has(keyOf(fault)))
  if (cost !== undefined) throw cost
  if (compiled.flaw) throw unusable(compiled.flaw)
}

function compile(schema: Fields, cache: SchemaCache): CompiledSchema {
  try {
    const compiled = cache.compile(schema, { asMeant: true })
    if (compiled.flaw?.reason !== 'invalid') return compiled
    // Many tools have a slightly invalid schema, or one of an unnamed old draft; models and providers read it leniently.
    const meant = asMeant(schema)
    const others = [cache.compile(meant, { asMeant: true }), cache.compile(meant, { asMeant: true, draft: '7' })]
    return others.find(({ flaw }) => flaw === undefined) ?? compiled
  } catch (error) {
    throw error instanceof SchemaError ? unusable(error) : error
  }
}

function unusable({ message }: SchemaError): ValidatorUnavailable {
  return new ValidatorUnavailable(`the schema of a tool cannot be used: ${message}`)
}

function faultOf(finding: Finding, compiled: CompiledSchema): ArgumentFault {
  const { place, keyword, params } = finding
  const { missingProperty: missing } = params
  return {
    code: codes.get(keyword) ?? 'INVALID_ARGUMENT',
    path: typeof missing === 'string' ? [...pathTo(place), missing] : pathTo(place),
    finding,
    message: (locale) => wordsOf(compiled.describe(finding), locale),
  }
}
