import { isFields } from '@stickler/core/internal'
import { catalogue } from '@stickler/presets'

/** A member of plain data, if present. */
export function memberOf(data: unknown, key: string): unknown {
  return isFields(data) && Object.hasOwn(data, key) ? data[key] : undefined
}

/** The mappings in a list of plain data, with their places. */
export function recordsOf(data: unknown): (readonly [index: number, record: Readonly<Record<string, unknown>>])[] {
  if (!Array.isArray(data)) return []
  return data.flatMap((item: unknown, index) => (isFields(item) ? [[index, item] as const] : []))
}

/** The texts in a list of plain data, with their places. */
export function textsOf(data: unknown): (readonly [index: number, text: string])[] {
  if (!Array.isArray(data)) return []
  return data.flatMap((item: unknown, index) => (typeof item === 'string' ? [[index, item] as const] : []))
}

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
