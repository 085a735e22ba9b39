import { isFields, valueAt } from '@stickler/core/internal'
import { catalogue } from '@stickler/presets'
import type { $ZodType } from 'zod/v4/core'

/** The mappings in a list of plain data, with their places. */
export function recordsOf(data: unknown): (readonly [index: number, record: Readonly<Record<string, unknown>>])[] {
  if (!Array.isArray(data)) return []
  return data.flatMap((item: unknown, index) => (isFields(item) ? [[index, item] as const] : []))
}

/** The options of a check that calls an external rule, with their place and their schema. */
type RuleOptions = readonly [path: readonly (string | number)[], options: Readonly<Record<string, unknown>>, schema: $ZodType]

/** The options of checks that call external rules. */
export function rulesIn(contracts: unknown): RuleOptions[] {
  return Object.entries(isFields(contracts) ? contracts : {}).flatMap(([contract, written]) =>
    recordsOf(valueAt(written, ['checks'])).flatMap(([at, check]) =>
      Object.entries(check).flatMap(([name, options]) => {
        const schema = ruleSchema(name)
        return schema !== undefined && isFields(options) ? [[['contracts', contract, 'checks', at, name], options, schema] as const] : []
      }),
    ),
  )
}

/** The schema of a validator that calls external rules, which is Zod's; those of others are not loaded for this. */
function ruleSchema(name: string): $ZodType | undefined {
  const definition = catalogue.validators.find((one) => one.definition.name === name)?.definition
  const isRule = definition?.ports?.some((port) => port === 'remote' || port === 'command')
  return isRule ? (definition?.options as unknown as $ZodType) : undefined
}
