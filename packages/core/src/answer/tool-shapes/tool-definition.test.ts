import { describe, expect, test } from 'vitest'
import { readTools } from './tool-definition.ts'

const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }
const gemini = { type: 'OBJECT', properties: { a: { type: 'STRING' } }, required: ['a'] }

describe('readTools', () => {
  test.each([
    ['OpenAI', [{ type: 'function', function: { name: 'f', description: 'd', parameters: schema } }]],
    ['OpenAI Responses and plain', [{ type: 'function', name: 'f', parameters: schema }]],
    ['Anthropic', [{ name: 'f', input_schema: schema }]],
    ['MCP', [{ name: 'f', inputSchema: schema }]],
    ['the AI SDK', { f: { description: 'd', inputSchema: { jsonSchema: schema } } }],
    ['Gemini', [{ functionDeclarations: [{ name: 'f', parameters: gemini }] }, { googleSearch: {} }]],
    ['Gemini with JSON Schema', [{ functionDeclarations: [{ name: 'f', parametersJsonSchema: schema }] }]],
    ['Bedrock', [{ toolSpec: { name: 'f', inputSchema: { json: schema } } }]],
    ['the plan', [{ name: 'f', parameters: [{ name: 'a', type: 'string', required: true, enum: null }] }]],
  ])('%s', (_name, tools) => {
    expect(readTools(tools)).toEqual([{ name: 'f', schema }])
  })

  test('types of Python, members and defaults in the plan', () => {
    const parameters = [
      { name: 'n', type: 'int', default: 3 },
      { name: 'x', type: 'float', required: true },
      { name: 'm', type: 'string', enum: ['a', 'b'], required: false },
      { name: 'o', type: 'whatever' },
      { name: '__proto__', type: 'dict' },
      null,
      'x',
      { type: 'string' },
    ]
    const [tool] = readTools([{ name: 'f', parameters }]) ?? []
    expect(tool?.schema.required).toEqual(['x'])
    expect(JSON.stringify(tool?.schema.properties)).toBe(
      '{"n":{"type":"integer","default":3},"x":{"type":"number"},"m":{"type":"string","enum":["a","b"]},"o":{},"__proto__":{"type":"object"}}',
    )
  })

  test.each([undefined, null, 3, 'x', { tools: [] }])('%j are no tools', (value) => {
    expect(readTools(value)).toBeUndefined()
  })

  test('what may be null, lists and choices in Gemini’s schemas', () => {
    const parameters = {
      type: 'OBJECT',
      properties: { a: { type: 'ARRAY', items: { type: 'INTEGER', nullable: true } }, type: { anyOf: [{ type: 'NUMBER' }] } },
    }
    expect(readTools([{ functionDeclarations: [{ name: 'f', parameters }, {}, null] }])?.[0]?.schema).toEqual({
      type: 'object',
      properties: { a: { type: 'array', items: { type: ['integer', 'null'] } }, type: { anyOf: [{ type: 'number' }] } },
    })
  })

  test('leaves out what has no name, and twins', () => {
    const names = ['__proto__', 'constructor', 'toString', '', 'f']
    const tools = [null, 1, [], {}, { name: 7 }, { function: null }, ...names.map((name) => ({ name })), { name: 'f', parameters: schema }]
    expect(readTools(tools)).toEqual(names.map((name) => ({ name, schema: {} })))
    expect(readTools([])).toEqual([])
    expect(readTools([{ name: 'f', parameters: 'x' }])).toEqual([{ name: 'f', schema: {}, foreign: 'x' }])
  })
})
