import { isDeepStrictEqual } from 'node:util'
import { Answer, contract, type RepairClass, settle } from '@stickler/core'
import fc from 'fast-check'
import { type Attack, attackWith, holds, same } from '../attack.ts'
import { type Damage, innerDamages, writeDamaged } from '../generators/damage.ts'
import { jsonContainers } from '../generators/json-values.ts'
import { objectSchemas, objectsOf } from '../generators/schemas.ts'
import { leadsTo } from '../oracles/splice.ts'
import { allowances, keepsSchema } from './repair.ts'

interface ArgumentsCase {
  readonly value: unknown
  readonly damage: Damage
  readonly allow: readonly RepairClass[]
  readonly schema?: object
}

const anything = { type: 'object' }
const cases: fc.Arbitrary<ArgumentsCase> = fc.oneof(
  fc.record({ value: jsonContainers, damage: innerDamages, allow: allowances }),
  fc.record({ value: objectsOf(), damage: innerDamages, allow: allowances, schema: objectSchemas() }),
)

/** Repairs of tool arguments against the value before it was damaged; another way to settle is for tests of the attack. */
export function argumentsAttack(settled: typeof settle<unknown, Readonly<Record<string, unknown>>, never> = settle): Attack {
  return {
    name: 'arguments',
    compares: 'repaired tool arguments, with the value before it was damaged, JSON.parse, ajv and a splicer',
    start: async () => attackWith(cases, (one) => compare(one, settled)),
  }
}

async function compare(
  { value, damage, allow, schema }: ArgumentsCase,
  settled: typeof settle<unknown, Readonly<Record<string, unknown>>, never>,
): Promise<void> {
  const text = writeDamaged(value, damage)
  const options = { context: { tools: [{ name: 'send', parameters: schema ?? anything }] } }
  const rules = contract({ checks: [{ tool_calls: { strict: schema !== undefined } }], allow: [...allow] })
  const { status, toolCalls, repairs } = await settled(rules, new Answer('', { toolCalls: [{ name: 'send', arguments: text }] }), options)
  for (const { class: kind, rule } of repairs) holds(`${rule} is ${kind}, which is not allowed`, allow.includes(kind), text)
  const given = toolCalls[0]?.arguments ?? ''
  if (status !== 'valid' && status !== 'repaired') {
    same('a call that is not delivered was changed', given, text)
    return
  }
  holds('the certificates do not lead to the delivered arguments', leadsTo(text, repairs, given), text, given, repairs)
  const read: unknown = JSON.parse(given)
  const isLossless = repairs.every(({ class: kind }) => kind === 'lossless')
  if (schema !== undefined) keepsSchema(schema, read)
  else if (isLossless) holds('a lossless repair changed the value', isDeepStrictEqual(read, value), text, given)
  const again = await settled(rules, new Answer('', { toolCalls }), options)
  holds('a second repair changes the arguments again', again.repairs.length === 0 && again.status === 'valid', text, given)
}
