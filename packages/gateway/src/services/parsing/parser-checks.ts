import type { Contract } from '@stickler/core'
import { usesParser } from '@stickler/core/syntax'

/** The checks of each contract that need the parser; contracts without any are left out. */
export function parserChecks(contracts: ReadonlyMap<string, Contract>): ReadonlyMap<string, ReadonlySet<string>> {
  const needing = [...contracts].filter(([, contract]) => usesParser(contract))
  return new Map(
    needing.map(([name, { validators }]) => [
      name,
      new Set(validators.filter(({ definition }) => definition.ports?.includes('parser')).map((validator) => validator.name)),
    ]),
  )
}
