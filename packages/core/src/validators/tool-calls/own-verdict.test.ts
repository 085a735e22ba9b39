import { jsonSchema } from 'ai'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { type ContractByName, contract } from '../../../../presets/src/testing/contract.ts'
import { Answer } from '../../answer/answer.ts'
import { check } from '../../engine/check/check.ts'
import { settle } from '../../engine/repair/settle.ts'

const strict: ContractByName = { checks: [{ tool_calls: { strict: true } }] }
const techtime: ContractByName = { preset: 'techtime' }
const calling = (given: object) => new Answer('', { toolCalls: [{ name: 't', arguments: JSON.stringify(given) }] })

async function told(inputSchema: unknown, given: object, input = techtime): Promise<string[]> {
  const { issues, unchecked } = await check(contract(input), calling(given), { context: { tools: [{ name: 't', inputSchema }] } })
  return [...issues.map(({ code }) => code), ...unchecked.map(({ validator }) => `unchecked ${validator}`)]
}

async function settled(inputSchema: unknown, given: object, input = techtime): Promise<unknown[]> {
  const context = { tools: [{ name: 't', inputSchema }] }
  const { status, toolCalls } = await settle(contract(input), calling(given), { context })
  return [status, JSON.parse(toolCalls[0]?.arguments ?? '')]
}

const range = z.object({ from: z.string(), to: z.string() }).refine(({ from, to }) => from < to)
const wrongRange = { from: '2025', to: '2024' }

describe('what a tool refuses by itself', () => {
  test.each<[string, unknown, object, string[]]>([
    ['alone', range, wrongRange, ['INVALID_ARGUMENT']],
    ['beside an unknown argument', range, { ...wrongRange, note: 'x' }, ['UNKNOWN_ARGUMENT', 'INVALID_ARGUMENT']],
    ['in a nested object', z.object({ range }), { range: wrongRange, note: 'x' }, ['UNKNOWN_ARGUMENT', 'INVALID_ARGUMENT']],
    ['around an unknown argument', z.object({ range }), { range: { ...wrongRange, n: 1 } }, ['UNKNOWN_ARGUMENT', 'INVALID_ARGUMENT']],
    ['in a list', z.object({ all: z.array(range) }), { all: [{ ...wrongRange, n: 1 }] }, ['UNKNOWN_ARGUMENT', 'INVALID_ARGUMENT']],
    ['keys that are not recognised', z.strictObject({ a: z.string() }), { a: '', b: 1 }, ['UNKNOWN_ARGUMENT']],
    ['without saying why', { '~standard': { validate: () => ({ issues: [] }) } }, {}, ['INVALID_ARGUMENT']],
  ])('%s', async (_name, schema, given, codes) => {
    expect(await told(schema, given)).toEqual(codes)
  })

  test('an unknown argument does not deliver it', async () => {
    expect(await settled(range, { ...wrongRange, note: 'x' })).toEqual(['unresolved', { ...wrongRange, note: 'x' }])
  })

  test('is reported whatever warnings surround it', async () => {
    const key = fc.constantFrom('a', 'b', 'c')
    const path = fc.array(key, { maxLength: 3 })
    const value = fc.letrec((tie) => ({
      any: fc.oneof({ depthSize: 'small' }, fc.constant('x'), tie('object')),
      object: fc.dictionary(fc.constantFrom('a', 'b', 'c', 'unknown'), tie('any'), { maxKeys: 3 }),
    })).object as fc.Arbitrary<object>
    const inner = z.object({ a: z.unknown().optional(), b: z.unknown().optional(), c: z.unknown().optional() })
    const json = z.toJSONSchema(
      z.object({ a: inner.or(z.string()).optional(), b: inner.or(z.string()).optional(), c: z.unknown().optional() }),
    )
    const run = fc.asyncProperty(fc.array(path, { minLength: 1, maxLength: 3 }), value, async (paths, given) => {
      const issues = paths.map((one) => ({ message: 'no', path: one }))
      const standard = { '~standard': { validate: () => ({ issues }), jsonSchema: { input: () => json } } }
      const { issues: found } = await check(contract(techtime), calling(given), {
        context: { tools: [{ name: 't', inputSchema: standard }] },
      })
      expect(found.some(({ severity }) => severity === 'error')).toBe(true)
    })
    await fc.assert(run, { numRuns: 200 })
  })
})

describe('what a tool accepts by itself', () => {
  const list = z.preprocess((text) => String(text).split(','), z.array(z.string()))
  const parsed = z.preprocess((text) => JSON.parse(`[${String(text)}]`), z.array(z.number()))

  test.each<[string, z.ZodType, object]>([
    ['a list in a text', z.object({ a: list }), { a: 'a,b' }],
    ['numbers in a text', z.object({ a: parsed }), { a: '1' }],
    ['a boolean', z.object({ a: z.coerce.boolean() }), { a: 'x' }],
    ['a number', z.object({ a: z.coerce.number() }), { a: '5' }],
    ['a value to fall back on', z.object({ a: z.number().catch(3) }), { a: 'x' }],
  ])('%s: no issue, no repair', async (_name, schema, given) => {
    for (const input of [techtime, strict]) {
      expect(await told(schema, given, input)).toEqual([])
      expect(await settled(schema, given, input)).toEqual(['valid', given])
    }
  })

  test('stays as it is beside what it refuses', async () => {
    const schema = z.object({ a: parsed, n: z.int() })
    expect(await told(schema, { a: '1', n: 'x' })).toEqual(['WRONG_TYPE'])
    expect(await settled(schema, { a: '1', n: '7' })).toEqual(['repaired', { a: '1', n: 7 }])
  })

  test('a misspelt name is still put right, unless the tool refuses that', async () => {
    const schema = z.object({ host: z.string(), count: z.int().max(5).optional() })
    expect(await settled(schema, { host: 'a', Count: 3 })).toEqual(['repaired', { host: 'a', count: 3 }])
    expect(
      await settled(
        schema.refine(({ count }) => count !== 3),
        { host: 'a', Count: 3 },
      ),
    ).toEqual(['valid', { host: 'a', Count: 3 }])
  })
})

describe('the AI SDK’s `validate`', () => {
  const json: Parameters<typeof jsonSchema>[0] = { type: 'object', properties: { host: { type: 'string' } }, required: ['host'] }
  const refuse = () => ({ success: false as const, error: new Error('not this host') })
  const accept = (value: unknown) => ({ success: true as const, value })

  test.each<[string, unknown, object, string[]]>([
    ['refuses', jsonSchema(json, { validate: refuse }), { host: 'x' }, ['INVALID_ARGUMENT']],
    ['accepts', jsonSchema(json, { validate: accept }), { host: 'x' }, []],
    ['accepts more than the JSON Schema', jsonSchema(json, { validate: accept }), { host: 5 }, []],
    ['answers late', jsonSchema(json, { validate: async (value) => accept(value) }), { host: 'x' }, ['unchecked tool_calls']],
    ['answers nothing', jsonSchema(json, { validate: () => undefined as never }), { host: 'x' }, ['unchecked tool_calls']],
    ['is absent', jsonSchema(json), {}, ['MISSING_ARGUMENT']],
  ])('%s', async (_name, schema, given, codes) => {
    expect(await told(schema, given)).toEqual(codes)
  })
})
