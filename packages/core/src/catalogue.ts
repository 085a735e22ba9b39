import type { Constant } from './contract/configuration/constant.ts'
import { buildContract, type Catalogue, type Contract, type ContractInput } from './contract/contract.ts'
import { avap } from './contract/presets/avap.ts'
import { helix } from './contract/presets/helix.ts'
import { reddb } from './contract/presets/reddb.ts'
import { techtime } from './contract/presets/techtime.ts'
import type { InputOf } from './contract/standard-schema.ts'
import type { Check, ShortForm, ValueOf } from './contract/validator.ts'
import { validators } from './validators/index.ts'

const presets = { avap, helix, reddb, techtime } satisfies Catalogue['presets']

/** The validators and presets that ship with Stickler, by name. */
export const catalogue: Catalogue = { validators, presets }

/** A validator that ships with Stickler. */
type Shipped = (typeof validators)[number]

/** The name of a validator that ships with Stickler. */
export type ValidatorName = Shipped['definition']['name']

/** The name of a preset that ships with Stickler. */
export type PresetName = keyof typeof presets

/** Options as they are written beside a name; null takes one of the preset away. */
export type WrittenOptions<Options> = {
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

/** A contract as it is written in a program: names and options are those of what ships with Stickler. */
export interface ContractOptions<Value = unknown> extends Omit<ContractInput, 'checks' | 'preset'> {
  /** Start from a preset; everything else written here overrides it. */
  readonly preset?: PresetName
  /** What to check; with a preset, names choose among the preset's checks, and options are laid over the preset's. An empty list checks nothing. */
  readonly checks?: readonly (ValidatorName | NamedCheck | Check<Value>)[]
}

/** Builds a contract from what ships with Stickler and the validators that are passed in; throws a ConfigurationError when it cannot be right. A bundle then includes everything that ships, up to 550 kB compressed: in browsers use `defineContract`. */
export function contract<Value = never>(options: ContractOptions<Value>): Contract<ValueOf<Value>> {
  return buildContract(options as ContractInput, catalogue) as Contract<ValueOf<Value>>
}
