import { isDeepStrictEqual } from 'node:util'
import { contract, type RepairClass, settle } from '@stickler/core'
import { repairClasses } from '@stickler/core/internal'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { type Attack, attackWith, holds, same } from '../attack.ts'
import { type Damage, damages, innerDamages, writeDamaged } from '../generators/damage.ts'
import { jsonContainers } from '../generators/json-values.ts'
import { schemas, schemaValues } from '../generators/schemas.ts'
import { leadsTo } from '../oracles/splice.ts'

interface RepairCase {
  readonly value: unknown
  readonly damage: Damage
  readonly allow: readonly RepairClass[]
  readonly schema?: unknown
}

/** Classes of repair that a contract allows. */
export const allowances: fc.Arbitrary<readonly RepairClass[]> = fc.subarray([...repairClasses])

const cases: fc.Arbitrary<RepairCase> = fc.oneof(
  fc.record({ value: jsonContainers, damage: damages, allow: allowances }),
  fc.record({ value: schemaValues, damage: innerDamages, allow: allowances, schema: schemas }),
)

/** Repairs of JSON against the value before it was damaged; another way to settle is for tests of the attack. */
export function repairAttack(settled: typeof settle<unknown, Readonly<Record<string, unknown>>, never> = settle): Attack {
  return {
    name: 'repair',
    compares: 'repaired JSON, with the value before it was damaged, JSON.parse, ajv and a splicer',
    start: async () => attackWith(cases, (one) => compare(one, settled)),
  }
}

async function compare(
  { value, damage, allow, schema }: RepairCase,
  settled: typeof settle<unknown, Readonly<Record<string, unknown>>, never>,
): Promise<void> {
  const text = writeDamaged(value, damage)
  const rules = contract({ checks: [{ json: schema === undefined ? {} : { schema } }], allow: [...allow] })
  const { status, text: after, repairs, facts } = await settled(rules, text)
  for (const { class: kind, rule } of repairs) holds(`${rule} is ${kind}, which is not allowed`, allow.includes(kind), text)
  if (status !== 'valid' && status !== 'repaired') {
    same('an answer that is not delivered was changed', after, text)
    return
  }
  holds('the certificates do not lead to the delivered text', leadsTo(text, repairs, after), text, after, repairs)
  const found = facts.json?.value
  const isLossless = repairs.every(({ class: kind }) => kind === 'lossless')
  if (schema === undefined && isLossless && !isReference(value, damage))
    holds('a lossless repair changed the value', isDeepStrictEqual(found, value), text, after, found)
  if (damage.around === 'nothing') {
    const read: unknown = JSON.parse(after)
    if (schema === undefined) holds('the value is not that of the text', isDeepStrictEqual(found, read), after, found)
    else keepsSchema(schema as object, read)
  }
  const again = await settled(rules, after)
  holds('a second repair changes the text again', again.status === 'valid' && again.text === after, text, after)
}

const ajv = new Ajv2020({ strict: false, logger: false })

/** Throws when ajv rejects a value; it does not know `__proto__` as the name of a property. */
export function keepsSchema(schema: object, value: unknown): void {
  if (!JSON.stringify(schema).includes('__proto__'))
    holds('ajv rejects what was delivered', ajv.validate(schema, value), schema, value, ajv.errors)
}

/** Amid prose a list such as `[1]` is a reference, and another value may be the answer: only a key or a text tells that it is not. */
function isReference(value: unknown, { around }: Damage): boolean {
  if (!Array.isArray(value) || (around !== 'prose' && around !== 'both')) return false
  let first: unknown = value
  while (Array.isArray(first)) first = first[0]
  return typeof first === 'object' && first !== null ? Object.keys(first).length === 0 : typeof first !== 'string'
}
