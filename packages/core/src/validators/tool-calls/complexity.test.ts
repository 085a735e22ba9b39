import { describe, expect, test } from 'vitest'
import { processorMs } from '../../../../../tools/tests/processor-ms.ts'
import { Answer } from '../../answer/answer.ts'
import { contract } from '../../catalogue.ts'
import { settle } from '../../engine/repair/settle.ts'
import { toolCalls } from './index.ts'

const times = <Item>(count: number, make: (index: number) => Item): Item[] => Array.from({ length: count }, (_, index) => make(index))
const record = <Value>(count: number, prefix: string, value: Value): Record<string, Value> =>
  Object.fromEntries(times(count, (index) => [`${prefix}${index}`, value]))
const listOf = (items: object) => ({ type: 'object', properties: { a: { type: 'array', minItems: 1, items } } })
const list = (more: object) => ({ type: 'object', properties: { a: { type: 'array', ...more } } })

/** A schema and a value of at most 64 KB, each harmless by itself. */
const products: readonly (readonly [string, object, object])[] = [
  ['required names', listOf({ required: times(3000, (index) => `k${index}`) }), { a: times(10_000, () => ({})) }],
  ['properties', listOf({ properties: record(3000, 'k', {}) }), { a: times(10_000, () => ({})) }],
  ['names that depend', listOf({ dependentRequired: record(2000, 'k', ['z']) }), { a: times(10_000, () => ({})) }],
  ['schemas that depend', listOf({ dependentSchemas: record(2000, 'k', {}) }), { a: times(10_000, () => ({})) }],
  ['contained items', list({ allOf: times(1000, (index) => ({ contains: { const: `c${index}` } })) }), { a: times(15_000, () => 'z') }],
  [
    'members that are objects',
    listOf({ enum: times(3000, (index) => ({ a: index })) }),
    { a: times(5000, (index) => ({ a: -1 - index })) },
  ],
  ['items that differ', list({ allOf: times(300, () => ({ uniqueItems: true })) }), { a: times(9000, (index) => [index]) }],
  ['unknown arguments', { type: 'object', properties: record(3000, 'prop', {}), additionalProperties: false }, record(5000, 'porp', 1)],
  [
    'unevaluated properties',
    { type: 'object', allOf: times(1500, (index) => ({ properties: { [`p${index}`]: {} } })), unevaluatedProperties: false },
    record(6000, 'q', 1),
  ],
  [
    'names by pattern',
    { type: 'object', allOf: times(1000, (index) => ({ propertyNames: { pattern: `^k${index}` } })) },
    record(6000, 'q', 1),
  ],
  ['negations', listOf({ allOf: times(500, (index) => ({ not: { const: `k${index}` } })) }), { a: times(12_000, () => 1) }],
  ['one pattern', { type: 'object', properties: { a: { pattern: '(?:a{1,100}){1,10}'.repeat(500) } } }, { a: 'a' }],
]

const rules = contract({ checks: [toolCalls({})] })
const judge = (parameters: object, calls: readonly object[]) =>
  settle(rules, new Answer('', { toolCalls: calls.map((given) => ({ name: 'w', arguments: JSON.stringify(given) })) }), {
    context: { tools: [{ type: 'function', function: { name: 'w', parameters } }] },
  })

/** Many times what any of these takes, and a fraction of what the product of schema and value would. */
const mostMs = 2000

describe('no schema times a value takes long, with its repair', () => {
  test.each(products)('%s', { timeout: 60_000 }, async (_name, schema, value) => {
    expect(await processorMs(() => judge(schema, [value]))).toBeLessThan(mostMs)
  })

  test('nor times many calls', { timeout: 60_000 }, async () => {
    const schema = { type: 'object', allOf: times(3000, (index) => ({ not: { required: [`k${index}`] } })) }
    const work = () =>
      judge(
        schema,
        times(1000, () => ({})),
      )
    expect(await processorMs(work)).toBeLessThan(mostMs)
    expect(await work()).toMatchObject({ issues: [{ code: 'TOO_COMPLEX' }], unchecked: [] })
  })
})

test('what is wrong is still told, where telling all of it would take too long', async () => {
  const schema = listOf({ required: times(3000, (index) => `k${index}`) })
  const { issues } = await judge(schema, [{ a: times(10_000, () => ({})) }])
  expect(issues[0]).toMatchObject({ code: 'MISSING_ARGUMENT', path: ['tool_calls', 0, 'arguments', 'a', 0, 'k0'] })
})

test('a list of many good items is no product', async () => {
  const schema = listOf({
    type: 'object',
    required: ['id', 'name'],
    properties: { id: { type: 'integer', minimum: 0 }, name: { type: 'string' } },
  })
  const { status } = await judge(schema, [{ a: times(2500, (index) => ({ id: index, name: `n${index}` })) }])
  expect(status).toBe('valid')
})
