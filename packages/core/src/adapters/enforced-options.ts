import { ConfigurationError } from '../contract/configuration-error.ts'
import type { Contract } from '../contract/contract.ts'
import { type OptionNames, rejectUnknown, requireContract } from '../engine/option-names.ts'
import type { EnforceOptions } from '../engine/run-state.ts'
import { withSoundCalls } from '../relay/sound-calls.ts'

/** What may be passed to an adapter of a framework beside the contract. */
export interface EnforcedOptions extends Pick<EnforceOptions, 'context' | 'ports' | 'only' | 'request' | 'clock' | 'onEvent'> {
  /** The most characters of a rejected answer that a retry quotes: 8000 unless set. */
  readonly echoLimit?: number
}

const known: OptionNames<EnforcedOptions> = {
  context: true,
  ports: true,
  only: true,
  request: true,
  clock: true,
  onEvent: true,
  echoLimit: true,
}

/** A contract that is enforced, and how. */
export interface Terms {
  readonly contract: Contract
  readonly options: EnforcedOptions
}

/** Checks what a caller passes; throws a ConfigurationError for what cannot be right. */
export function readTerms(contract: Contract, options: EnforcedOptions): Terms {
  requireContract(contract)
  rejectUnknown(options, known)
  const { echoLimit } = options
  if (echoLimit !== undefined && !(Number.isInteger(echoLimit) && echoLimit >= 0))
    throw new ConfigurationError([{ message: 'must be a number of characters', path: ['echoLimit'] }])
  return { contract: withSoundCalls(contract), options }
}
