import type { Constant } from './contract/configuration/constant.ts'
import { buildContract, type Catalogue, type Contract, type ContractInput, type Preset } from './contract/contract.ts'
import type { InputOf } from './contract/standard-schema.ts'
import type { Check, ShortForm, ValueOf } from './contract/validator.ts'
import { validators } from './validators/index.ts'

/** The validators of the library, by name. */
export const catalogue: Catalogue = { validators, presets: {} }

/** A validator that ships with Stickler. */
type Shipped = (typeof validators)[number]

/** The name of a validator that ships with Stickler. */
export type ValidatorName = Shipped['definition']['name']

/** Options as they are written beside a name; null takes one of the preset away. */
type WrittenOptions<Options> = {
  readonly [Key in keyof Options]: Constant<Options[Key]> | (undefined extends Options[Key] ? null : never)
}

/** A validator that ships with Stickler and its options, by its name; one to a check, with what goes beside them. */
export interface NamedCheck extends ShippedChecks, Pick<Check, 'name' | 'severity' | 'when'> {
  /** A validator that was called with its options is not written by its name. */
  readonly definition?: never
}

type ShippedChecks = {
  readonly [One in Shipped as One['definition']['name']]?:
    | WrittenOptions<InputOf<One['definition']['options']>>
    | ShortForm<InputOf<One['definition']['options']>, NonNullable<One['definition']['short']>>
}

/** What a preset adds to the names that checks may have: its own validators, alone or with options. */
type OwnCheck<Given> =
  Given extends Preset<infer Own> ? (string extends Own ? never : Own | { readonly [Name in Own]: Record<Name, object> }[Own]) : never

/** A contract as it is written in a program: names and options are those of the library and of the preset. */
export interface ContractOptions<Value = unknown, Given extends Preset = Preset> extends Omit<ContractInput, 'checks' | 'preset'> {
  /** Start from a preset, such as one of `@stickler/presets`; everything else written here overrides it. */
  readonly preset?: Given
  /** What to check; with a preset, names choose among the preset's checks, and options are laid over the preset's. An empty list checks nothing. */
  readonly checks?: readonly (ValidatorName | NamedCheck | Check<Value> | OwnCheck<Given>)[]
}

/** Builds a contract from what ships with Stickler and the validators that are passed in; throws a ConfigurationError when it cannot be right. A bundle then includes everything that ships, up to 550 kB compressed: in browsers use `defineContract`. */
export function contract<Value = never, Given extends Preset = Preset>(options: ContractOptions<Value, Given>): Contract<ValueOf<Value>> {
  return buildContract(options as ContractInput, catalogue) as Contract<ValueOf<Value>>
}
