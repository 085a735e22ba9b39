import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { contract } from '../../../../presets/src/testing/contract.ts'
import { Answer } from '../../answer/answer.ts'
import { check } from '../../engine/check/check.ts'

const text = { type: 'string' }
const json = { type: 'object', properties: { host: text }, required: ['host'] }
const standard = (validate: (value: unknown) => unknown) => ({ '~standard': { version: 1, vendor: 'test', validate } })

class Getters {
  get type() {
    return 'object'
  }
  get properties() {
    return { host: text }
  }
  get required() {
    return ['host']
  }
}

async function told(tools: unknown, given: object): Promise<string[]> {
  const answer = new Answer('', { toolCalls: [{ name: 't', arguments: JSON.stringify(given) }] })
  const { issues, unchecked } = await check(contract({ preset: 'techtime' }), answer, { context: { tools } })
  return [...issues.map(({ code }) => code), ...unchecked.map(({ validator }) => `unchecked ${validator}`)]
}

describe('a schema in another place or form is read', () => {
  test.each<[string, unknown]>([
    ['a record of Zod schemas', { t: z.object({ host: z.string() }) }],
    ['a record of JSON Schemas', { t: json }],
    ['beside the name', [{ name: 't', properties: { host: text }, required: ['host'] }]],
    ['Bedrock', [{ name: 't', inputSchema: { json } }]],
    ['Gemini', [{ name: 't', parametersJsonSchema: json }]],
    ['Gemini’s types', [{ name: 't', parameters: { type: 'OBJECT', properties: { host: { type: 'STRING' } }, required: ['host'] } }]],
    ['`args_schema`', [{ name: 't', args_schema: json }]],
    ['`params`', [{ name: 't', params: json }]],
    ['behind a null', [{ name: 't', parameters: null, inputSchema: json }]],
    ['`required` at the property', [{ name: 't', parameters: { type: 'object', properties: { host: { ...text, required: true } } } }]],
    ['a property called `required`', [{ name: 't', parameters: { ...json, type: 'dict', properties: { host: text, required: true } } }]],
    ['a plan with `required` as a text', [{ name: 't', parameters: [{ name: 'host', type: 'string', required: 'true' }] }]],
    ['a plan with a type in capitals', [{ name: 't', parameters: [{ name: 'host', type: 'String', required: true }] }]],
    ['a schema that writes itself', [{ name: 't', parameters: { toJSON: () => json } }]],
  ])('%s', async (_name, tools) => {
    expect(await told(tools, {})).toEqual(['MISSING_ARGUMENT'])
    expect(await told(tools, { host: 5 })).toEqual(['WRONG_TYPE'])
    expect(await told(tools, { host: 'gw' })).toEqual([])
  })
})

describe('what nobody understands is not checked', () => {
  const unreadable: [string, unknown][] = [
    ['a record of Zod types', { host: z.string() }],
    ['Zod types as properties', { type: 'object', properties: { host: z.string() } }],
    ['a record of parameters', { host: { type: 'string', required: true } }],
    ['`required: true` of the whole', { ...json, required: true }],
    ['names alone', ['host']],
    ['some parameters without a name', [{ name: 'port', type: 'int' }, 'host']],
    ['inherited members', Object.create(json)],
    ['inherited properties', { type: 'object', properties: Object.create(json.properties) }],
    ['getters of a class', new Getters()],
    ['a schema that writes nothing', { ...json, toJSON: () => ({}) }],
    [
      'a schema that cannot be written',
      {
        toJSON: () => {
          throw new Error('no')
        },
      },
    ],
    ['a validation that answers nothing', standard(() => undefined)],
    ['a validation that answers an empty object', standard(() => ({}))],
    ['a validation whose issues are no list', standard((value) => ({ value, issues: 'none' }))],
  ]

  test.each(unreadable)('%s', async (_name, parameters) => {
    expect(await told([{ name: 't', parameters }], {})).toEqual(['unchecked tool_calls'])
  })

  test('a field that throws', async () => {
    const tool = {
      name: 't',
      get parameters() {
        throw new Error('no')
      },
    }
    expect(await told([tool], {})).toEqual(['unchecked tool_calls'])
  })

  test('records of parameters, whatever their names', async () => {
    const parameter = fc.constantFrom<unknown>({ type: 'string', required: true }, z.string(), { type: 'int' }, 'string')
    const names = fc.stringMatching(/^[a-z]{2,8}_[a-z]{1,8}$/)
    const records = fc.dictionary(names, parameter, { minKeys: 1, maxKeys: 4 })
    const run = fc.asyncProperty(records, async (parameters) => {
      expect(await told([{ name: 't', parameters }], {})).toEqual(['unchecked tool_calls'])
    })
    await fc.assert(run, { numRuns: 100 })
  })
})

test.each([{}, undefined, null, true, [], { type: 'object' }, { description: 'Takes anything.' }])(
  '%j takes anything',
  async (parameters) => {
    expect(await told([{ name: 't', parameters }], {})).toEqual([])
  },
)
