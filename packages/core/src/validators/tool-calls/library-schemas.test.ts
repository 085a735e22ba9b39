import { tool as langchainTool } from '@langchain/core/tools'
import { tool as aiTool, jsonSchema, zodSchema } from 'ai'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import * as zMini from 'zod/mini'
import * as z3 from 'zod/v3'
import { contract } from '../../../../presets/src/testing/contract.ts'
import { Answer } from '../../answer/answer.ts'
import { check } from '../../engine/check/check.ts'
import { settle } from '../../engine/repair/settle.ts'

const shape = z.object({ host: z.string(), count: z.int().optional() })
const json = { type: 'object', properties: { host: { type: 'string' }, count: { type: 'integer' } }, required: ['host'] }
const refined = shape.extend({ host: z.string().refine((host) => host !== 'localhost', 'it must not be this machine') })
const standardOnly = (validate: (value: unknown) => unknown) => ({ '~standard': { version: 1, vendor: 'test', validate } })
const needsHost = standardOnly((value) =>
  (value as { host?: unknown }).host === undefined ? { issues: [{ message: 'Missing', path: ['host'] }] } : { value },
)

const calling = (given: object) => new Answer('', { toolCalls: [{ name: 'ping', arguments: JSON.stringify(given) }] })

async function told(tools: unknown, given: object): Promise<string[]> {
  const { issues, unchecked } = await check(contract({ preset: 'techtime' }), calling(given), { context: { tools } })
  return [...issues.map(({ code }) => code), ...unchecked.map(({ validator }) => `unchecked ${validator}`)]
}

const mini = zMini.object({ host: zMini.string(), count: zMini.optional(zMini.int()) })
/** The small build of Zod leaves the converter out; a schema may carry one all the same. */
const withConverter = (schema: zMini.ZodMiniType) => ({
  '~standard': { ...schema['~standard'], jsonSchema: { input: () => zMini.toJSONSchema(schema, { io: 'input' }) } },
})

const described = { name: 'ping', description: 'Pings a host.' }
const offers: [string, unknown][] = [
  ['JSON Schema', [{ ...described, parameters: json }]],
  ['Zod', [{ ...described, parameters: shape }]],
  ['Zod, by name', { ping: { parameters: shape } }],
  ['Zod Mini with its converter', [{ ...described, inputSchema: withConverter(mini) }]],
  ['the JSON Schema that Zod writes', [{ ...described, parameters: z.toJSONSchema(shape) }]],
  ['LangChain’s tool with Zod', [langchainTool(() => 'ok', { ...described, schema: shape })]],
  ['LangChain’s tool with JSON Schema', [langchainTool(() => 'ok', { ...described, schema: json as never })]],
  ['the AI SDK’s tools with Zod', { ping: aiTool({ inputSchema: shape }) }],
  ['the AI SDK’s tools with zodSchema', { ping: aiTool({ inputSchema: zodSchema(shape) }) }],
  ['the AI SDK’s tools with jsonSchema', { ping: aiTool({ inputSchema: jsonSchema(json as never) }) }],
]

describe.each(offers)('%s', (_name, tools) => {
  test.each<[object, string[]]>([
    [{ host: 'gw', count: 3 }, []],
    [{}, ['MISSING_ARGUMENT']],
    [{ host: 'gw', count: 'many' }, ['WRONG_TYPE']],
    [{ host: 'gw', prot: 1 }, ['UNKNOWN_ARGUMENT']],
  ])('%j', async (given, codes) => {
    expect(await told(tools, given)).toEqual(codes)
  })

  test('guides repairs', async () => {
    const { status, toolCalls } = await settle(contract({ preset: 'techtime' }), calling({ host: 'gw', count: '3' }), {
      context: { tools },
    })
    expect([status, toolCalls[0]?.arguments]).toEqual(['repaired', '{"host":"gw","count":3}'])
  })
})

test.each<[string, unknown, object, string[]]>([
  ['a refinement', refined, { host: 'localhost' }, ['INVALID_ARGUMENT']],
  ['a refinement beside a wrong type', refined, { host: 'localhost', count: 'x' }, ['WRONG_TYPE', 'INVALID_ARGUMENT']],
  ['a refinement that is kept', refined, { host: 'gw' }, []],
  ['a type that JSON Schema has not', shape.extend({ at: z.date() }), { host: 'gw', at: 'today' }, ['INVALID_ARGUMENT']],
  ['Zod 3', z3.object({ host: z3.string() }), {}, ['INVALID_ARGUMENT']],
  ['Zod 3, kept', z3.object({ host: z3.string() }), { host: 'gw' }, []],
  ['a schema that only checks', needsHost, {}, ['INVALID_ARGUMENT']],
  ['a schema that only checks, kept', needsHost, { host: 'gw' }, []],
  ['an asynchronous schema', shape.refine(async () => true), { host: 'gw' }, ['unchecked tool_calls']],
  [
    'a schema that crashes',
    standardOnly(() => {
      throw new Error('no')
    }),
    { host: 'gw' },
    ['unchecked tool_calls'],
  ],
  ['no schema', undefined, { host: 'gw' }, []],
  ['a number', 42, { host: 'gw' }, ['unchecked tool_calls']],
  ['a text', 'object', { host: 'gw' }, ['unchecked tool_calls']],
  ['a promise', Promise.resolve(json), { host: 'gw' }, ['unchecked tool_calls']],
  ['a function', () => json, { host: 'gw' }, ['unchecked tool_calls']],
  ['false', false, { host: 'gw' }, ['unchecked tool_calls']],
  ['a type that does not exist', { type: 'object', properties: { host: { type: 'strnig' } } }, { host: 'gw' }, ['unchecked tool_calls']],
  ['properties that are a list', { type: 'object', properties: ['host'] }, { host: 'gw' }, ['unchecked tool_calls']],
  ['Python’s name of a type', { type: 'dict', properties: { host: { type: 'str' } } }, { host: 'gw' }, []],
  ['Python’s name of a type, broken', { type: 'dict', properties: { host: { type: 'str' } } }, { host: 3 }, ['WRONG_TYPE']],
])('%s: %j', async (_case, parameters, given, codes) => {
  expect(await told([{ ...described, parameters }], given)).toEqual(codes)
})

test('`functions` of old requests', async () => {
  const offer = (context: Record<string, unknown>) => check(contract({ preset: 'techtime' }), calling({}), { context })
  const codes = async (context: Record<string, unknown>) => (await offer(context)).issues.map(({ code }) => code)
  expect(await codes({ functions: [{ ...described, parameters: json }] })).toEqual(['MISSING_ARGUMENT'])
  expect(await codes({ tools: [{ name: 'other' }], functions: [{ ...described, parameters: json }] })).toEqual(['MISSING_ARGUMENT'])
  expect(await codes({ tools: null, functions: [] })).toEqual(['UNKNOWN_TOOL'])
  expect((await offer({})).unchecked).toMatchObject([{ validator: 'tool_calls' }])
})
