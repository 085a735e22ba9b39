import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Answer } from '../../answer/answer.ts'
import { type ContractOptions, contract } from '../../catalogue.ts'
import { settle } from '../../engine/repair/settle.ts'
import { createSchemaCache } from '../../schema/cache.ts'
import { OfferedTools } from './offered-tools.ts'
import { repairToolCalls } from './repair.ts'

type Call = readonly [name: string, given: object]

const text = { type: 'string' }
const log = { name: 'log', parameters: { type: 'object', properties: { message: text } } }
const branches: [string, object][] = [
  ['anyOf', { anyOf: [{ properties: { user_id: text }, required: ['user_id'] }, { required: ['userId'] }] }],
  ['oneOf', { oneOf: [{ properties: { user_id: text }, required: ['user_id'] }, { required: ['userId'] }] }],
  ['allOf', { allOf: [{ properties: { user_id: text } }] }],
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  ['then', { if: { required: ['user_id'] }, then: { properties: { user_id: text } } }],
  ['else', { if: { required: ['userId'] }, else: { properties: { user_id: text } } }],
  ['dependentSchemas', { dependentSchemas: { user_id: { properties: { user_id: text } } } }],
  ['$ref', { $ref: '#/$defs/old', $defs: { old: { properties: { user_id: text } } } }],
]

async function settled(calls: readonly Call[], parameters: object, input: ContractOptions): Promise<{ status: string; calls: unknown[] }> {
  const toolCalls = calls.map(([name, given]) => ({ name, arguments: JSON.stringify(given) }))
  const context = { tools: [{ name: 'find', parameters }, log] }
  const { status, toolCalls: after } = await settle(contract(input), new Answer('', { toolCalls }), { context })
  return { status, calls: after.map((call) => JSON.parse(call.arguments)) }
}

describe.each(branches)('a key that %s declares', (_keyword, branch) => {
  const parameters = { type: 'object', properties: { userId: text, limit: { type: 'integer' } }, ...branch }
  const find: Call = ['find', { user_id: '7' }]

  test.each<ContractOptions>([{ preset: 'techtime' }, { checks: [{ tool_calls: { strict: true } }] }])(
    'is not renamed: %j',
    async (input) => {
      expect(await settled([find], parameters, input)).toEqual({ status: 'valid', calls: [{ user_id: '7' }] })
      expect(await settled([find, ['log', { Message: 'x' }]], parameters, input)).toEqual({
        status: 'repaired',
        calls: [{ user_id: '7' }, { message: 'x' }],
      })
      expect(await settled([['find', { user_id: '7', Limit: '3' }]], parameters, input)).toEqual({
        status: 'repaired',
        calls: [{ user_id: '7', limit: 3 }],
      })
    },
  )
})

test('a call is repaired as it would be alone, and what is right stays', () => {
  const keys = fc.constantFrom('userId', 'user_id', 'UserID', 'limit', 'Limit', 'other')
  const given = fc.dictionary(keys, fc.constantFrom('7', 7, true), { maxKeys: 3 })
  const schemas = createSchemaCache()
  const run = fc.property(fc.constantFrom(...branches), fc.array(given, { maxLength: 4 }), ([, branch], all) => {
    const schema = { type: 'object', properties: { userId: text, limit: { type: 'integer' } }, ...branch }
    const rules = { tools: new OfferedTools([{ name: 'find', schema }]), schemas, isWhole: true }
    const calls = all.map((one) => ({ name: 'find', arguments: JSON.stringify(one) }))
    const alone = calls.map((call) => [...repairToolCalls([call], rules)].map(({ rule, after, span }) => [rule, after, span]))
    const together = [...repairToolCalls(calls, rules)].map(({ rule, after, span }) => [rule, after, span])
    expect(together).toEqual(alone.flat())
    for (const { path, rule } of repairToolCalls(calls, rules)) expect([rule, path?.at(-1)]).not.toEqual(['rename-key', 'user_id'])
  })
  fc.assert(run, { numRuns: 300 })
})
