import { buildContract, ConfigurationError, type Contract, contract } from '@stickler/core'
import { catalogue } from '@stickler/presets'
import type { PipelineDefinition } from '@stickler/presets/internal'
import type { QueryType } from '../reply/query-type.ts'

/** How many retries are left. */
export type RetriesLeft = 0 | 1

/** The contract of an answer of a type. */
export type ContractOf = (type: QueryType, retries: RetriesLeft) => Contract

type CodeOf = Pick<PipelineDefinition, 'codePreset' | 'codeCheck' | 'language'>

/**
 * The contracts by type: code is parsed as its preset says, answers from documents cite them and
 * code in them is parsed, everything else has nothing to validate.
 */
export function contractsByType({ codePreset, codeCheck, language }: CodeOf): ContractOf {
  const code = both((retries) => buildContract({ preset: codePreset, retries, budget: { attempts: retries + 1 } }, catalogue))
  const nothing = contract({ checks: [], mode: 'lenient', retries: 0, repair: 'never' })
  const made: Readonly<Record<QueryType, readonly [spent: Contract, unspent: Contract]>> = {
    RETRIEVAL: both((retries) => withStatusOf(code[retries], citing({ [codeCheck]: { languages: [language.fence] } }, retries))),
    CODE_GENERATION: code,
    CONVERSATIONAL: [nothing, nothing],
    PLATFORM: [nothing, nothing],
  }
  return (type, retries) => made[type][retries]
}

function both(make: (retries: RetriesLeft) => Contract): readonly [spent: Contract, unspent: Contract] {
  return [make(0), make(1)]
}

/**
 * Wrong citations and code that does not parse are retried while a retry is left; after that the
 * user gets a marked answer, not a refusal.
 */
function citing(code: Readonly<Record<string, object>>, retries: RetriesLeft): Contract {
  return contract({
    // A claim is not shown before its citation is checked. Only code in the pipeline's language: an
    // answer may show others, and most have none.
    checks: [{ citations: { release: 'line' } }, code],
    retries,
    budget: { attempts: retries + 1 },
    repair: 'never',
    askAgain: 'anew',
    unresolved: 'deliver',
    unchecked: 'deliver',
    truncated: 'warning',
  })
}

/** Reports the verdict of one contract in the terms that another contract declares for its code. */
function withStatusOf({ declared }: Contract, own: Contract): Contract {
  const words = declared?.validationStatus
  if (words === undefined || own.declared === undefined)
    throw new ConfigurationError([{ path: ['codePreset'], message: 'declares no validation status' }])
  const { valid, invalid, unchecked } = words
  return { ...own, declared: { ...own.declared, validationStatus: { valid, invalid, unchecked } } }
}
