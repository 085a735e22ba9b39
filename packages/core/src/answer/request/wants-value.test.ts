import { expect, test } from 'vitest'
import { wantsValue } from './answer-request.ts'

const tool = (name: string) => ({ type: 'function', function: { name } })
const json = tool('json')
const named = { type: 'function', function: { name: 'json' } }

test.each<[boolean, Readonly<Record<string, unknown>>]>([
  [true, { response_format: { type: 'json_schema' } }],
  [true, { response_format: { type: 'json_object' }, tools: [json, tool('b')] }],
  [false, { response_format: { type: 'text' } }],
  [true, { tools: [json], tool_choice: named }],
  [true, { tools: [json], tool_choice: 'required' }],
  [true, { functions: [{ name: 'json' }], function_call: { name: 'json' } }],
  // An agent that must call one of its tools is no program that parses text.
  [false, { tools: [json, tool('b')], tool_choice: 'required' }],
  [false, { tools: [json, tool('b')], tool_choice: named }],
  [false, { tools: [json], tool_choice: 'auto' }],
  [false, { tools: [json] }],
  [false, { tools: [], tool_choice: 'required' }],
  [false, { tool_choice: 'required' }],
])('%s for %j', (expected, request) => {
  expect(wantsValue(request)).toBe(expected)
})
