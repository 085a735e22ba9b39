import { validationOf } from '@stickler/ask/internal'
import type { Outcome } from '@stickler/core'
import type { Declarations } from '@stickler/core/internal'
import type { ErrorTerms } from '@stickler/core/internal/relay'
import { requestSchema } from '@stickler/core/internal/remote'
import { catalogue } from '@stickler/presets'
import { giveUpBody } from '@stickler/presets/internal'

/** What the gateway adds to errors of answers under a contract. */
export function errorTerms(declared: Declarations | undefined): ErrorTerms {
  return {
    isBuiltIn: (validator) => [...catalogue.validators, requestSchema].some(({ definition }) => definition.name === validator),
    membersBeside: (outcome) => membersBeside(outcome, declared),
  }
}

/** Fields that the preset adds beside the error. */
function membersBeside(outcome: Outcome, declared: Declarations | undefined): Readonly<Record<string, unknown>> {
  const names = Object.keys(declared?.annotations?.error ?? {})
  if (names.length === 0) return {}
  const findings = { ...giveUpBody(validationOf(outcome, 'strict')).validation, ok: false }
  return Object.fromEntries(names.map((name) => [name, findings]))
}
