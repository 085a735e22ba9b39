import { catalogue } from '@stickler/core'
import { isFields } from '@stickler/core/internal'
import { memberOf, recordsOf } from './plain-data.ts'

/** The options of checks that call external rules, each with its place. */
export function rulesIn(contracts: unknown): (readonly [readonly (string | number)[], Readonly<Record<string, unknown>>])[] {
  return Object.entries(isFields(contracts) ? contracts : {}).flatMap(([contract, written]) =>
    recordsOf(memberOf(written, 'checks')).flatMap(([at, check]) =>
      Object.entries(check).flatMap(([name, options]) =>
        asksRules(name) && isFields(options) ? [[['contracts', contract, 'checks', at, name], options] as const] : [],
      ),
    ),
  )
}

function asksRules(name: string): boolean {
  const ports = catalogue.validators.find(({ definition }) => definition.name === name)?.definition.ports ?? []
  return ports.some((port) => port === 'remote' || port === 'command')
}
