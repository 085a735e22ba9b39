import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ContractByName, contract } from '../../../../presets/src/testing/contract.ts'
import { Answer } from '../../answer/answer.ts'
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

async function settled(calls: readonly Call[], parameters: object, input: ContractByName): Promise<{ status: string; calls: unknown[] }> {
  const toolCalls = calls.map(([name, given]) => ({ name, arguments: JSON.stringify(given) }))
  const context = { tools: [{ name: 'find', parameters }, log] }
  const { status, toolCalls: after } = await settle(contract(input), new Answer('', { toolCalls }), { context })
  return { status, calls: after.map((call) => JSON.parse(call.arguments)) }
}

describe.each(branches)('a key that %s declares', (_keyword, branch) => {
  const parameters = { type: 'object', properties: { userId: text, limit: { type: 'integer' } }, ...branch }
  const find: Call = ['find', { user_id: '7' }]

  test.each<ContractByName>([{ preset: 'techtime' }, { checks: [{ tool_calls: { strict: true } }] }])(
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
    const rules = { tools: new OfferedTools([{ name: 'find', schema }]), schemas, end: 'whole' as const }
    const calls = all.map((one) => ({ name: 'find', arguments: JSON.stringify(one) }))
    const alone = calls.map((call) => [...repairToolCalls([call], rules)].map(({ rule, after, span }) => [rule, after, span]))
    const together = [...repairToolCalls(calls, rules)].map(({ rule, after, span }) => [rule, after, span])
    expect(together).toEqual(alone.flat())
    for (const { path, rule } of repairToolCalls(calls, rules)) expect([rule, path?.at(-1)]).not.toEqual(['rename-key', 'user_id'])
  })
  fc.assert(run, { numRuns: 300 })
})

describe('a misspelt key is repaired by the same rule at every depth', () => {
  const number = { type: 'integer' }
  const options = { type: 'object', properties: { timeout: number, resolver: text, retries: number } }
  /** Ways to put an object into arguments: the schema around its own, the value around it, and its path. */
  const places: Record<string, { schema: (inner: object) => object; value: (inner: object) => object; path: (string | number)[] }> = {
    property: { schema: (opts) => ({ properties: { hostname: text, opts } }), value: (opts) => ({ hostname: 'gw', opts }), path: ['opts'] },
    'list item': {
      schema: (items) => ({ properties: { all: { type: 'array', items } } }),
      value: (one) => ({ all: [{}, one] }),
      path: ['all', 1],
    },
    'deep down': {
      schema: (opts) => ({ properties: { a: { type: 'object', properties: { b: { type: 'array', items: { properties: { opts } } } } } } }),
      value: (opts) => ({ a: { b: [{ opts }] } }),
      path: ['a', 'b', 0, 'opts'],
    },
    reference: {
      schema: (opts) => ({ properties: { opts: { $ref: '#/$defs/opts' } }, $defs: { opts } }),
      value: (opts) => ({ opts }),
      path: ['opts'],
    },
    'reference of draft 7': {
      schema: (opts) => ({
        $schema: 'http://json-schema.org/draft-07/schema#',
        properties: { opts: { $ref: '#/definitions/opts' } },
        definitions: { opts },
      }),
      value: (opts) => ({ opts }),
      path: ['opts'],
    },
    'optional object': {
      schema: (opts) => ({ properties: { opts: { anyOf: [opts, { type: 'null' }] } } }),
      value: (opts) => ({ opts }),
      path: ['opts'],
    },
  }
  const settledIn = async (schema: object, given: object) => {
    const answer = new Answer('', { toolCalls: [{ name: 'find', arguments: JSON.stringify(given) }], finishReason: 'tool_calls' })
    const input: ContractByName = { checks: [{ tool_calls: { strict: true } }], allow: ['lossless', 'guess'] }
    const context = { tools: [{ name: 'find', parameters: { type: 'object', ...schema } }] }
    const { status, toolCalls, repairs } = await settle(contract(input), answer, { context })
    const changes = repairs.map((one) => ({ rule: one.rule, class: one.class, after: one.after, path: one.path?.slice(3) }))
    return { status, given: JSON.parse(toolCalls[0]?.arguments ?? ''), changes }
  }

  test.each(Object.keys(places))('in a %s', async (name) => {
    const { schema, value, path } = places[name] as (typeof places)[string]
    const rename = { rule: 'rename-key', class: 'guess', after: '"timeout"', path: [...path, 'timout'] }
    expect(await settledIn(schema(options), value({ timout: 3 }))).toEqual({
      status: 'repaired',
      given: value({ timeout: 3 }),
      changes: [rename],
    })
  })

  test('as at the top, for any keys and values', async () => {
    const keys = fc.constantFrom('timeout', 'timout', 'Timeout', 'timeuot', 'resolver', 'resolvr', 'retrys', 'retires', 'other')
    const given = fc.dictionary(keys, fc.constantFrom<unknown>('7', 7, 'x', null), { maxKeys: 4 })
    const run = fc.asyncProperty(fc.constantFrom(...Object.values(places)), given, async ({ schema, value, path }, inner) => {
      const top = await settledIn(options, inner)
      const nested = await settledIn(schema(options), value(inner))
      // An item of a list may be dropped for a wrong value, never for its keys.
      const isWrong = Object.entries(options.properties).some(
        ([key, { type }]) => Object.hasOwn(inner, key) && typeof inner[key] !== (type === 'string' ? type : 'number'),
      )
      if (nested.changes.some(({ rule }) => rule === 'drop-item')) return expect(isWrong).toBe(true)
      expect(nested).toEqual({
        status: top.status,
        given: value(top.given),
        changes: top.changes.map((one) => ({ ...one, path: [...path, ...(one.path ?? [])] })),
      })
      expect((await settledIn(schema(options), nested.given)).given).toEqual(nested.given)
    })
    await fc.assert(run, { numRuns: 150 })
  })
})
