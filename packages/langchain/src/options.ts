import { ConfigurationError, type Contract, type EnforceOptions } from '@stickler/core'
import { rejectUnknown, requireContract, withSoundCalls } from '@stickler/core/internal'

/** What may be passed beside the contract. */
export interface EnforcedOptions extends Pick<EnforceOptions, 'context' | 'ports' | 'only' | 'request' | 'clock' | 'onEvent'> {
  /** The most characters of a rejected answer that a retry quotes: 8000 unless set. */
  readonly echoLimit?: number
}

const names = { context: true, ports: true, only: true, request: true, clock: true, onEvent: true, echoLimit: true } as const

/** A contract that is enforced, and how. */
export interface Terms {
  readonly contract: Contract
  readonly options: EnforcedOptions
}

/** Checks what a caller passes; throws a ConfigurationError for what cannot be right. */
export function readTerms(contract: Contract, options: EnforcedOptions): Terms {
  requireContract(contract)
  rejectUnknown(options, names)
  const { echoLimit } = options
  if (echoLimit !== undefined && !(Number.isInteger(echoLimit) && echoLimit >= 0))
    throw new ConfigurationError([{ message: 'must be a number of characters', path: ['echoLimit'] }])
  return { contract: withSoundCalls(contract), options }
}
