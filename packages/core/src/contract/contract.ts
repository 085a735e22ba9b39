import * as z from 'zod'
import { ConfigurationError, type ConfigurationProblem, unknownName } from './configuration-error.ts'
import { type Policy, type PolicyInput, policySchema } from './policy.ts'
import { pathOf } from './standard-schema.ts'
import type { Check, PreparedValidator, ValidatorDefinition } from './validator.ts'

/** How a check is written: a name, a name with options, or a validator called with options. */
export type CheckInput = string | Readonly<Record<string, unknown>> | Check

/** A contract as it is written. */
export interface ContractInput extends PolicyInput {
  /** Start from a preset; everything else written here overrides it. */
  preset?: string
  /** What to check; with a preset, names choose among the preset's checks. An empty list checks nothing. */
  checks?: readonly CheckInput[]
}

/** A preset: a contract as data. */
export interface Preset extends ContractInput {
  readonly summary: string
  readonly checks: readonly (string | Readonly<Record<string, unknown>>)[]
}

/** Names that a contract may use. */
export interface Catalogue {
  readonly validators: readonly { readonly definition: ValidatorDefinition }[]
  readonly presets: Readonly<Record<string, Preset>>
}

/** A validator that stands in a contract. */
export interface ActiveValidator {
  readonly name: string
  readonly definition: ValidatorDefinition
  readonly options: unknown
  readonly prepared: PreparedValidator
  /** The sentence that tells the model the rule. */
  readonly instruction: string
}

/** Validators and the policy over what they find. */
export interface Contract {
  readonly validators: readonly ActiveValidator[]
  readonly policy: Policy
}

/** The keys that a written contract may have. */
export const contractKeys = ['preset', 'checks', ...Object.keys(policySchema.shape)]

/** Builds a contract, or throws a ConfigurationError that lists everything wrong with it. */
export function buildContract(input: ContractInput, catalogue: Catalogue): Contract {
  const problems: ConfigurationProblem[] = []
  const preset = findPreset(input.preset, catalogue, problems)
  const policy = readPolicy(preset, input, problems)
  const written = input.checks === undefined ? undefined : readChecks(input.checks, catalogue, problems)
  if (problems.length > 0) throw new ConfigurationError(problems)

  const presetChecks = preset ? readChecks(preset.checks, catalogue, problems) : []
  const chosen = written === undefined ? presetChecks : written.map((check) => fromPreset(check, presetChecks))
  const validators = chosen.map((check, index) => prepare(check, index, policy, problems)).filter((one) => one !== undefined)
  rejectTwins(validators, problems)
  if (problems.length > 0) throw new ConfigurationError(problems)
  return { validators, policy }
}

/** Keeps only the named validators; an unknown name is an error, an empty list keeps none. */
export function selectValidators(contract: Contract, only: readonly string[] | undefined): Contract {
  if (only === undefined) return contract
  const known = contract.validators.map(({ name }) => name)
  const problems = only
    .filter((name) => !known.includes(name))
    .map((name) => ({ message: unknownName('validator', String(name), known), path: ['only'] }))
  if (problems.length > 0) throw new ConfigurationError(problems)
  return { ...contract, validators: contract.validators.filter(({ name }) => only.includes(name)) }
}

/** The sentences that tell a model the rules of a contract. */
export function instructions(contract: Contract): string {
  return contract.validators.map(({ instruction }) => instruction).join('\n')
}

function findPreset(name: string | undefined, { presets }: Catalogue, problems: ConfigurationProblem[]): Preset | undefined {
  if (name === undefined) return undefined
  if (typeof name === 'string' && Object.hasOwn(presets, name)) return presets[name]
  problems.push({ message: unknownName('preset', String(name), Object.keys(presets)), path: ['preset'] })
  return undefined
}

function readPolicy(preset: Preset | undefined, input: ContractInput, problems: ConfigurationProblem[]): Policy {
  const { summary: _summary, checks: _presetChecks, preset: _base, ...presetPolicy } = preset ?? { summary: '' }
  const { checks: _checks, preset: _preset, ...written } = input
  const parsed = policySchema.safeParse({ ...presetPolicy, ...written })
  if (parsed.success) return parsed.data
  for (const complaint of parsed.error.issues) problems.push(...describeComplaint(complaint))
  return policySchema.parse({})
}

/** Turns a complaint of Zod into problems, unknown keys with a "did you mean". */
export function describeComplaint(complaint: z.core.$ZodIssue, known: readonly string[] = contractKeys): ConfigurationProblem[] {
  const path = complaint.path.map((segment) => (typeof segment === 'number' ? segment : String(segment)))
  if (complaint.code !== 'unrecognized_keys') return [{ message: complaint.message, path }]
  const siblings = path.at(-1) === 'budget' ? ['attempts', 'tokens', 'money', 'deadlineMs'] : known
  return complaint.keys.map((key) => ({ message: unknownName('key', key, siblings), path: [...path, key] }))
}

interface WrittenCheck {
  readonly name: string
  readonly definition: ValidatorDefinition
  /** Absent when only the name was written. */
  readonly options?: unknown
  readonly at: number
}

function readChecks(checks: readonly CheckInput[], catalogue: Catalogue, problems: ConfigurationProblem[]): WrittenCheck[] {
  if (!Array.isArray(checks)) {
    problems.push({ message: 'checks must be a list', path: ['checks'] })
    return []
  }
  return checks.map((check: CheckInput, at) => readCheck(check, at, catalogue, problems)).filter((one) => one !== undefined)
}

function readCheck(check: CheckInput, at: number, { validators }: Catalogue, problems: ConfigurationProblem[]): WrittenCheck | undefined {
  if (isCheck(check)) return { name: check.definition.name, definition: check.definition, options: check.options, at }
  const named = typeof check === 'string' ? ([check] as const) : onlyEntry(check)
  if (named === undefined) {
    problems.push({ message: 'a check is a name, or one name with its options', path: ['checks', at] })
    return undefined
  }
  const [name, options] = named
  const definition = validators.find((validator) => validator.definition.name === name)?.definition
  if (definition) return { name, definition, at, ...(options === undefined ? {} : { options }) }
  const known = validators.map((validator) => validator.definition.name)
  problems.push({ message: unknownName('validator', name, known), path: ['checks', at, ...(typeof check === 'string' ? [] : [name])] })
  return undefined
}

function isCheck(check: CheckInput): check is Check {
  return typeof check === 'object' && check !== null && 'definition' in check
}

function onlyEntry(check: unknown): readonly [string, unknown] | undefined {
  if (typeof check !== 'object' || check === null) return undefined
  const entries = Object.entries(check)
  // `step_marker:` without anything behind it is null in YAML and means no options.
  return entries.length === 1 && entries[0] ? [entries[0][0], entries[0][1] ?? {}] : undefined
}

function fromPreset(check: WrittenCheck, presetChecks: readonly WrittenCheck[]): WrittenCheck {
  if ('options' in check) return check
  const inPreset = presetChecks.find(({ name }) => name === check.name)
  return inPreset ? { ...inPreset, at: check.at } : check
}

function prepare(check: WrittenCheck, index: number, policy: Policy, problems: ConfigurationProblem[]): ActiveValidator | undefined {
  const { definition } = check
  const path = ['checks', check.at ?? index, check.name]
  const result = definition.options['~standard'].validate(check.options ?? {})
  if (result instanceof Promise) {
    problems.push({ message: 'the options schema must not be asynchronous', path })
    return undefined
  }
  if (result.issues) {
    for (const complaint of result.issues) {
      const keys = (complaint as { keys?: readonly string[] }).keys
      const known = knownOptions(definition)
      if (keys && known)
        problems.push(...keys.map((key) => ({ message: unknownName('option', key, known), path: [...path, ...pathOf(complaint), key] })))
      else problems.push({ message: complaint.message, path: [...path, ...pathOf(complaint)] })
    }
    return undefined
  }
  const options = result.value
  return {
    name: check.name,
    definition: check.definition,
    options,
    prepared: definition.prepare(options),
    instruction: definition.instruct(options, policy.locale),
  }
}

function knownOptions(definition: ValidatorDefinition): readonly string[] | undefined {
  const schema: unknown = definition.options
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : undefined
}

function rejectTwins(validators: readonly ActiveValidator[], problems: ConfigurationProblem[]): void {
  const seen = new Set<string>()
  for (const { name } of validators) {
    if (seen.has(name)) problems.push({ message: `${name} stands in the contract twice`, path: ['checks'] })
    seen.add(name)
  }
}
