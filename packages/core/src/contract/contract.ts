import * as z from 'zod/mini'
import type { AnswerRequest } from '../answer/request/answer-request.ts'
import { defined } from '../answer/tool-shapes/fields.ts'
import { answerFormat, longestSchemaText } from './configuration/answer-format.ts'
import { isMet, type RequestFacts } from './configuration/condition.ts'
import { type Declarations, declaredFor, type PresetDeclarations } from './configuration/declarations.ts'
import { fallbackProblems } from './configuration/fallback.ts'
import {
  type ActiveValidator,
  type CheckInput,
  isPlainObject,
  placeOfKey,
  prepareCheck,
  readChecks,
  type WrittenCheck,
} from './configuration/read-checks.ts'
import { describeComplaints, inWords } from './configuration/schema-complaints.ts'
import { ConfigurationError, type ConfigurationProblem, unknownName } from './configuration-error.ts'
import { type Policy, type PolicyInput, policySchema, stopsEarly } from './policy.ts'
import type { ValidatorDefinition } from './validator.ts'

/** A contract as it is written. */
export interface ContractInput extends PolicyInput {
  /** Start from a preset, by its name in the catalogue or itself; everything else written here overrides it. */
  preset?: string | Preset
  /** What to check; with a preset, names choose among the preset's checks, and options are laid over the preset's. An empty list checks nothing. */
  checks?: readonly CheckInput[]
}

/** A preset: a contract as data, with the validators of its own. */
export interface Preset<Own extends string = string> extends ContractInput {
  readonly summary: string
  /** Validators that its checks name, beside those of the catalogue or in their place. */
  readonly validators?: readonly NamedValidator<Own>[]
  readonly checks: readonly (string | Readonly<Record<string, unknown>>)[]
  /** What holds for requests, records and replies of its contracts. */
  readonly declares?: PresetDeclarations
}

/** A validator as a catalogue lists it. */
export interface NamedValidator<Name extends string = string> {
  readonly definition: Omit<ValidatorDefinition, 'name'> & { readonly name: Name }
}

/** Names that a contract may use. Without presets, as in programs, a contract takes a preset itself. */
export interface Catalogue {
  readonly validators: readonly NamedValidator[]
  readonly presets: Readonly<Record<string, Preset>>
}

/** Validators and the policy over what they find. */
export interface Contract<Value = unknown> {
  readonly validators: readonly ActiveValidator[]
  readonly policy: Policy
  /** What its preset and its validators declare beside checks and policy; absent in parts of a contract. */
  readonly declared?: Declarations
  /** Names of the checks that do not apply to the request. */
  readonly skipped?: readonly string[]
  /** What was written and has no effect; absent when there is no such thing. */
  readonly warnings?: readonly ConfigurationProblem[]
  /** Only for the compiler: the type of the value that a valid answer holds. */
  readonly '~value'?: Value
}

/** A written contract: what the policy says, and two keys that are read by hand. */
const contractSchema = z.extend(policySchema, { preset: z.optional(z.unknown()), checks: z.optional(z.unknown()) })

/** Builds a contract, or throws a ConfigurationError that lists everything wrong with it. */
export function buildContract(input: ContractInput, { validators: shipped, presets }: Catalogue): Contract {
  if (!isPlainObject(input as unknown)) throw new ConfigurationError([{ message: 'a contract must be a plain object', path: [] }])
  const problems: ConfigurationProblem[] = []
  const preset = findPreset(input.preset, presets, problems)
  const catalogue = { validators: withOwn(preset, shipped), presets }
  const policy = readPolicy(preset, input, catalogue, problems)
  const written = input.checks === undefined ? undefined : readChecks(input.checks, catalogue.validators, problems)
  const presetChecks = preset ? readChecks(preset.checks, catalogue.validators, problems) : []
  const chosen = written === undefined ? presetChecks : written.map((check) => fromPreset(check, presetChecks))
  if (policy.strict !== undefined && !chosen.some(hasStrict))
    problems.push({ message: 'none of the checks has an option strict', path: ['strict'] })
  const placed = chosen.flatMap((check) => {
    const validator = prepareCheck(inheritStrict(check, policy.strict), policy.locale, problems, catalogue.validators)
    return validator === undefined ? [] : [{ check, validator }]
  })
  rejectTwins(placed, problems)
  rejectTakenNames(placed, catalogue, problems)
  const validators = placed.map(({ validator }) => validator)
  rejectLongSchema({ validators, policy }, problems)
  for (const problem of fallbackProblems(policy, validators)) problems.push(problem)
  if (problems.length > 0) throw new ConfigurationError(problems)
  const warnings = placed.flatMap((one) => idleRepair(one, policy))
  return { validators, policy, declared: declaredFor(preset?.declares, validators), ...(warnings.length > 0 && { warnings }) }
}

/** The check of what a request itself asks for, which no contract names. */
const requestCheck = 'request_schema'

/** Keeps only the named validators; an unknown name is an error, an empty list keeps none. */
export function selectValidators(contract: Contract, only: readonly string[] | undefined): Contract {
  if (only === undefined) return contract
  if (!Array.isArray(only)) throw new ConfigurationError([{ message: 'must be a list of names', path: ['only'] }])
  const known = contract.validators.map(({ name }) => name)
  const problems = only
    .filter((name: string) => !known.includes(name))
    .map((name: string) => ({ message: unknownName('validator', String(name), known), path: ['only'] }))
  if (problems.length > 0) throw new ConfigurationError(problems)
  return { ...contract, validators: contract.validators.filter(({ name }) => only.includes(name) || name === requestCheck) }
}

const applied = new WeakMap<Contract, Map<string, Contract>>()

/** Keeps the checks that apply to a request; one and the same contract for all requests to which the same ones do. */
export function applicable(contract: Contract, request: RequestFacts = {}): Contract {
  const { validators, declared } = contract
  const exempt = declared?.exempt?.tasks.includes(request.task ?? '') === true ? declared.exempt.checks : []
  if (exempt.length === 0 && !validators.some(({ when }) => when !== undefined)) return contract
  const kept = validators.filter(({ when, definition }) => !exempt.includes(definition.name) && (!when || isMet(when, request)))
  const key = kept.map((validator) => validators.indexOf(validator)).join()
  const known = applied.get(contract) ?? new Map<string, Contract>()
  applied.set(contract, known)
  const found = known.get(key)
  if (found !== undefined) return found
  const skipped = [...(contract.skipped ?? []), ...validators.filter((one) => !kept.includes(one)).map(({ name }) => name)]
  // What applies needs no condition any more.
  const made = { ...contract, validators: kept.map(({ when: _when, ...validator }) => validator), ...(skipped.length > 0 && { skipped }) }
  known.set(key, made)
  return made
}

/** The sentences that tell a model the rules of a contract. */
export function instructions(contract: Contract): string {
  return contract.validators.flatMap(({ instruction }) => (instruction === '' ? [] : [instruction])).join('\n')
}

/** Whether a contract has a check that needs the parser. */
export function usesParser(contract: Contract): boolean {
  return contract.validators.some(({ definition }) => definition.ports?.includes('parser') === true)
}

/** Every call would carry it; without `instruct: true` it is not told whole. */
function rejectLongSchema(contract: Contract, problems: ConfigurationProblem[]): void {
  const { length } = answerFormat(contract, '')?.text ?? ''
  if (length <= longestSchemaText) return
  const message = `the schema is too long to be sent with every call: it has ${length} characters, and at most ${longestSchemaText} are allowed`
  problems.push({ message, path: ['instruct'] })
}

function findPreset(
  written: string | Preset | undefined,
  presets: Catalogue['presets'],
  problems: ConfigurationProblem[],
): Preset | undefined {
  if (written === undefined) return undefined
  const names = Object.keys(presets)
  if (typeof written === 'string' && Object.hasOwn(presets, written)) return presets[written]
  // What a file or a client writes is a name; only a program passes a preset itself.
  if (names.length > 0) {
    const message = typeof written === 'string' ? unknownName('preset', written, names) : `the name of a preset, one of ${names.join(', ')}`
    problems.push({ message, path: ['preset'] })
  } else if (typeof written === 'string')
    problems.push({ message: 'import the preset, such as one of @stickler/presets, and pass it itself, not its name', path: ['preset'] })
  else if (!isPlainObject(written) || !Array.isArray(written.checks))
    problems.push({ message: 'a preset is an object with a summary and `checks`', path: ['preset'] })
  else if (![written.validators ?? []].flat().every(isValidator))
    problems.push({ message: 'a list of validators themselves, not of their names or calls', path: ['preset', 'validators'] })
  else return written
  return undefined
}

function isValidator(one: Partial<NamedValidator> | undefined): boolean {
  return typeof one?.definition?.name === 'string'
}

/** The validators of a catalogue with those of a preset, which come in the place of others with their names. */
function withOwn(preset: Preset | undefined, shipped: readonly NamedValidator[]): readonly NamedValidator[] {
  const own = preset?.validators ?? []
  const names = own.map(({ definition }) => definition.name)
  return own.length === 0 ? shipped : [...shipped.filter(({ definition }) => !names.includes(definition.name)), ...own]
}

function readPolicy(preset: Preset | undefined, input: ContractInput, { validators }: Catalogue, problems: ConfigurationProblem[]): Policy {
  const {
    summary: _summary,
    validators: _own,
    checks: _presetChecks,
    declares: _declares,
    preset: _base,
    ...presetPolicy
  } = preset ?? ({ summary: '' } as Partial<Preset>)
  const own = defined(input)
  // The ceiling of a contract is its own: a preset's last resort does not rise above it.
  const written = { ...presetPolicy, ...(own.allow === undefined ? {} : { lastResort: [] }), ...own }
  const parsed = contractSchema.safeParse(written, inWords)
  if (!parsed.success)
    problems.push(...describeComplaints(parsed.error.issues, contractSchema, written, [], (key) => placeOfKey(key, validators)))
  const { preset: _preset, checks: _checks, ...policy } = parsed.data ?? contractSchema.parse({})
  const attempts = input.budget === undefined ? policy.budget.attempts : undefined
  if (input.retries !== undefined && attempts !== undefined && policy.retries >= attempts) {
    const most = `${attempts - 1} ${attempts === 2 ? 'retry' : 'retries'}`
    problems.push({ message: `the preset allows ${most} at most, by its budget of ${attempts} attempts`, path: ['retries'] })
  }
  if (policy.stop === 'early' && !stopsEarly(policy)) {
    problems.push({ message: `early contradicts ${whatReadsOn(policy)}, which delivers every answer to its end`, path: ['stop'] })
  }
  return policy
}

/** The key that keeps streams from being stopped early. */
function whatReadsOn({ mode, stream }: Policy): string {
  if (mode !== 'strict') return `mode: ${mode}`
  return stream === 'pass' ? `stream: ${stream}` : 'unresolved: deliver'
}

/** A validator and the check that it was made from. */
interface PlacedValidator {
  readonly check: WrittenCheck
  readonly validator: ActiveValidator
}

/** A repair that an option asks for by name, such as `redact`, and that the contract does not permit. */
function idleRepair({ check, validator }: PlacedValidator, { allow, repair }: Policy): ConfigurationProblem[] {
  const { optedIn, allow: asked } = validator.prepared
  const key = repair === 'never' ? '`repair` is never' : allow?.includes('lossy') === false ? '`allow` does not list lossy' : undefined
  if (!optedIn || !asked?.includes('lossy') || key === undefined) return []
  return [
    { message: `its options ask for lossy repairs, but ${key}: what it finds is rejected instead`, path: ['checks', check.at, check.name] },
  ]
}

function rejectTwins(placed: readonly PlacedValidator[], problems: ConfigurationProblem[]): void {
  const plain = new Map<string, boolean>()
  for (const { check, validator } of placed) {
    const { name } = validator
    // What one of two has beside its options cannot be written in one entry.
    const arePlain = name === check.definition.name && check.terms === undefined && plain.get(name) !== false
    const advice = arePlain ? 'write all its options in one entry' : 'give each its own name'
    if (plain.has(name)) problems.push({ message: `${name} is listed twice; ${advice}`, path: pathOfName(check, validator) })
    plain.set(name, arePlain)
  }
}

/** Issues, metrics and records go by the name: one that means something else already would mislead. */
function rejectTakenNames(placed: readonly PlacedValidator[], { validators }: Catalogue, problems: ConfigurationProblem[]): void {
  const taken = new Set([...engineNames, ...validators.map(({ definition }) => definition.name)])
  for (const { check, validator } of placed) {
    if (validator.name !== check.definition.name && taken.has(validator.name))
      problems.push({ message: `${validator.name} is the name of a validator; choose another`, path: pathOfName(check, validator) })
  }
}

/** Names under which the engine itself reports. */
const engineNames = ['truncation', 'continuation', 'unread', requestCheck]

function pathOfName({ at, definition, options, terms }: WrittenCheck, { name }: ActiveValidator): readonly (string | number)[] {
  if (name === terms?.name) return ['checks', at, 'name']
  if (name !== definition.name) return ['checks', at, definition.name, 'name']
  return options === undefined ? ['checks', at] : ['checks', at, name]
}

/** Lays the options of a check over those that the preset has for it; `null` takes one of them away, `undefined` does nothing. */
function fromPreset(check: WrittenCheck, presetChecks: readonly WrittenCheck[]): WrittenCheck {
  const preset = presetChecks.find(({ definition }) => definition === check.definition || definition.replaces === check.definition)
  if (preset === undefined) return check
  const { options: base, definition } = preset
  const { options } = check
  if (!isPlainObject(base) || (options !== undefined && !isPlainObject(options))) return { ...check, definition }
  const merged = Object.entries({ ...base, ...defined(options ?? {}) }).filter(
    ([name, value]) => value !== null || !Object.hasOwn(base, name),
  )
  return { ...check, definition, options: Object.fromEntries(merged) }
}

/** Whether a check can be made stricter as a whole. */
function hasStrict({ definition: { options } }: WrittenCheck): boolean {
  const { type, shape } = ('_zod' in options ? (options as unknown as z.core.$ZodType)._zod.def : {}) as { type?: string; shape?: object }
  return type === 'object' && Object.hasOwn(shape ?? {}, 'strict')
}

/** Gives a check the contract's `strict`, unless it has its own. */
function inheritStrict(check: WrittenCheck, strict: boolean | undefined): WrittenCheck {
  const { options = {} } = check
  if (strict === undefined || !hasStrict(check) || !isPlainObject(options)) return check
  return { ...check, options: { strict, ...defined(options) } }
}

/** Rejects a request without an answer, unless every check of the contract judges only what was given with it. */
export function requireAnswer({ missing }: Pick<AnswerRequest, 'missing'>, { validators }: Pick<Contract, 'validators'>): void {
  if (missing && !(validators.length > 0 && validators.every(({ definition }) => definition.judges === 'context'))) throw missing
}
