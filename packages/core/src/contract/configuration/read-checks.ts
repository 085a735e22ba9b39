import type * as z from 'zod/mini'
import { errorMessage } from '../../answer/thrown.ts'
import { defined } from '../../answer/tool-shapes/fields.ts'
import { ConfigurationError, type ConfigurationProblem, unknownName } from '../configuration-error.ts'
import type { Locale } from '../locale.ts'
import { clamp } from '../quote.ts'
import { pathOf, type StandardIssue, type StandardSchema } from '../standard-schema.ts'
import type { Check, PreparedValidator, ValidatorDefinition } from '../validator.ts'
import { type CheckTerms, type Condition, termsSchema } from './condition.ts'
import { describeComplaints, inWords, keysOf } from './schema-complaints.ts'

type Named = { readonly definition: ValidatorDefinition }

/** How a check is written: a name, a name with options, or a validator called with options. */
export type CheckInput = string | Readonly<Record<string, unknown>> | Check

/** A validator as part of a contract. */
export interface ActiveValidator {
  /** What the contract calls it: the name of the validator, unless its options give it another. */
  readonly name: string
  readonly definition: ValidatorDefinition
  readonly options: unknown
  /** The options as they were written; absent when only the name was. */
  readonly written?: unknown
  readonly prepared: PreparedValidator
  /** Set when nothing that it finds makes an answer invalid. */
  readonly severity?: 'warning'
  /** The requests for which it applies; all when absent. */
  readonly when?: Condition
  /** The sentence that tells the model the rule. */
  readonly instruction: string
}

/** A check as it was written, with the validator that its name means. */
export interface WrittenCheck {
  readonly name: string
  readonly definition: ValidatorDefinition
  /** Absent when only the name was written. */
  readonly options?: unknown
  /** The option whose value was written in place of all. */
  readonly short?: string
  readonly at: number
  /** What was written beside the options. */
  readonly terms?: CheckTerms
}

/** Finds the validators that checks name; unknown names become problems. */
export function readChecks(checks: readonly CheckInput[], validators: readonly Named[], problems: ConfigurationProblem[]): WrittenCheck[] {
  if (!Array.isArray(checks)) {
    problems.push({ message: 'checks must be a list', path: ['checks'] })
    return []
  }
  return checks.map((check: CheckInput, at) => readCheck(check, at, validators, problems)).filter((one) => one !== undefined)
}

function readCheck(
  check: CheckInput,
  at: number,
  validators: readonly Named[],
  problems: ConfigurationProblem[],
): WrittenCheck | undefined {
  if (isCheck(check)) {
    const { definition, options, '~value': _value, ...terms } = check
    return { name: definition.name, definition, at, ...inFull(definition, options), ...termsOf(terms, at, problems) }
  }
  const named = typeof check === 'string' ? ([check, undefined, {}] as const) : onlyEntry(check)
  if (named === undefined) {
    const beside = besideName(check, validators)
    for (const key of beside) problems.push({ message: unknownName('key', key, Object.keys(termsSchema.shape)), path: ['checks', at, key] })
    if (beside.length > 0) return undefined
    const isUncalled = typeof check === 'function'
    const message = isUncalled ? 'call it, as in `json({ schema })`' : 'a check is a name, or one name with its options'
    problems.push({ message, path: ['checks', at] })
    return undefined
  }
  const [name, options, terms] = named
  const definition = validators.find((validator) => validator.definition.name === name)?.definition
  if (definition) return { name, definition, at, ...inFull(definition, options), ...termsOf(terms, at, problems) }
  const known = validators.map((validator) => validator.definition.name)
  const message =
    known.length === 0
      ? 'pass a validator itself, such as one of @stickler/core/validators, not its name'
      : unknownName('validator', name, known)
  problems.push({ message, path: ['checks', at, ...(typeof check === 'string' ? [] : [name])] })
  return undefined
}

/** Options in full: what is not a mapping may be the value of one of them. */
function inFull({ short }: ValidatorDefinition, options: unknown): Pick<WrittenCheck, 'options' | 'short'> {
  if (options === undefined) return {}
  const isValue = Array.isArray(options) || (typeof options !== 'object' && typeof options !== 'function')
  return short !== undefined && isValue ? { options: { [short]: options }, short } : { options }
}

function isCheck(check: CheckInput): check is Check {
  const definition: unknown = typeof check === 'object' && check !== null ? (check as { definition?: unknown }).definition : undefined
  return typeof definition === 'object' && definition !== null && typeof (definition as { prepare?: unknown }).prepare === 'function'
}

/** The name and options of a check, and what is written beside them. */
function onlyEntry(check: unknown): readonly [string, unknown, CheckTerms] | undefined {
  if (typeof check !== 'object' || check === null) return undefined
  const { name, severity, when, ...rest } = check as CheckTerms
  const entries = Object.entries(rest)
  // `name:` without a value is null in YAML and means no options.
  return entries.length === 1 && entries[0] ? [entries[0][0], entries[0][1] ?? {}, { name, severity, when }] : undefined
}

/** Keys beside the only name of a validator. */
function besideName(check: unknown, validators: readonly Named[]): readonly string[] {
  const keys = typeof check === 'object' && check !== null ? Object.keys(check) : []
  const beside = keys.filter((key) => !validators.some(({ definition }) => definition.name === key))
  return keys.length - beside.length === 1 ? beside.filter((key) => !Object.hasOwn(termsSchema.shape, key)) : []
}

/** What is written beside the options, when something is. */
function termsOf(written: CheckTerms, at: number, problems: ConfigurationProblem[]): { readonly terms?: CheckTerms } {
  const terms = defined(written)
  if (Object.keys(terms).length === 0) return {}
  const parsed = termsSchema.safeParse(terms, inWords)
  if (!parsed.success)
    for (const one of describeComplaints(parsed.error.issues, termsSchema, terms))
      problems.push({ ...one, path: ['checks', at, ...one.path] })
  return { terms }
}

/** Binds a validator to its options; options that do not fit become problems. */
export function prepareCheck(
  check: WrittenCheck,
  locale: Locale,
  problems: ConfigurationProblem[],
  validators: readonly Named[] = [],
): ActiveValidator | undefined {
  const { definition } = check
  const path = ['checks', check.at, check.name]
  // In a short form the name of its option is not written.
  const place = ({ path: [first, ...rest], ...problem }: ConfigurationProblem): ConfigurationProblem => ({
    ...problem,
    path: [...path, ...(first === undefined || first === check.short ? rest : [first, ...rest])],
  })
  if (isSchema(check.options, definition.options)) {
    problems.push({ message: `this is a schema; write \`${check.name}({ schema })\``, path })
    return undefined
  }
  // Zod reads a Map or an instance of a class as an object without options.
  if (
    isZod(definition.options) &&
    definition.options._zod.def.type === 'object' &&
    typeof check.options === 'object' &&
    !isPlainObject(check.options ?? {})
  ) {
    problems.push({ message: 'options must be a plain object', path })
    return undefined
  }
  const result = validate(definition.options, check.options ?? {})
  if (result instanceof Promise) {
    problems.push({ message: 'the options schema must not be asynchronous', path })
    return undefined
  }
  if (result.issues) {
    const list = meantList(check)
    const found = describeOptions(definition.options, check.options, result.issues, validators).map(place)
    problems.push(...(list === undefined ? found : found.map((one) => ({ ...one, message: `${one.message}; write ${list}` }))))
    return undefined
  }
  const options = result.value
  try {
    const prepared = definition.prepare(options)
    const { name = check.terms?.name ?? check.name } = prepared
    const { severity, when } = check.terms ?? {}
    return {
      name,
      definition,
      options,
      written: check.options,
      prepared,
      ...(severity && { severity }),
      ...(when && { when }),
      instruction: definition.instruct(options, locale),
    }
  } catch (error) {
    // Options can be of the right type and still be of no use, such as a schema that refers to another host.
    if (error instanceof ConfigurationError) problems.push(...error.problems.map(place))
    else problems.push({ message: errorMessage(error), path })
    return undefined
  }
}

/** The short form with a list, where it has one value of it alone. */
function meantList({ name, definition, options, short }: WrittenCheck): string | undefined {
  const value = short === undefined ? undefined : (options as Fields)[short]
  if (short === undefined || Array.isArray(value)) return undefined
  const result = validate(definition.options, { [short]: [value] })
  return result instanceof Promise || result.issues ? undefined : `\`${name}: ${clamp(JSON.stringify([value]), 100)}\``
}

/** Whether there is a schema where options with a schema are expected. */
function isSchema(given: unknown, expected: StandardSchema): boolean {
  const { shape = {} } = isZod(expected) ? (expected._zod.def as { shape?: object }) : {}
  if (!('schema' in shape)) return false
  if (typeof given === 'function') return true
  return typeof given === 'object' && given !== null && !('schema' in given) && schemaKeys.some((key) => key in given && !(key in shape))
}

const schemaKeys = ['~standard', '$schema', '$ref', 'type', 'properties', 'items', 'enum', 'const', 'anyOf', 'oneOf', 'allOf']

/** A schema that throws complains too. */
function validate(schema: StandardSchema, options: unknown): ReturnType<StandardSchema['~standard']['validate']> {
  try {
    return schema['~standard'].validate(options)
  } catch (error) {
    return { issues: [{ message: errorMessage(error) }] }
  }
}

/** Whether a schema is one of Zod's, of whatever copy. */
function isZod(schema: unknown): schema is z.ZodMiniType {
  return typeof schema === 'object' && schema !== null && '_zod' in schema && 'safeParse' in schema
}

/** Where a key belongs that is a check, or an option of few. */
export function placeOfKey(key: string, validators: readonly Named[]): string | undefined {
  if (validators.some(({ definition }) => definition.name === key)) return 'it is a check: list it in `checks`'
  const owners = validators.filter(({ definition: { options } }) => isZod(options) && keysOf(options, {}, []).includes(key))
  if (owners.length === 0 || owners.length > 3) return undefined
  return `it is an option of ${owners.map(({ definition }) => definition.name).join(', ')}, in \`checks\``
}

function describeOptions(
  schema: StandardSchema,
  options: unknown,
  complaints: readonly StandardIssue[],
  validators: readonly Named[],
): ConfigurationProblem[] {
  if (!isZod(schema)) return complaints.map((complaint) => ({ message: complaint.message, path: pathOf(complaint) }))
  // Zod's own complaints know more than the standard ones: they name the keys.
  const { error } = schema.safeParse(options ?? {}, inWords)
  return describeComplaints(error?.issues ?? [], schema, options ?? {}, [], (key) => placeOfKey(key, validators))
}

type Fields = Readonly<Record<string, unknown>>

/** Whether a value is an object as a configuration file has them, not a Map or an instance of a class; objects of another realm are too. */
export function isPlainObject(value: unknown): value is Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
