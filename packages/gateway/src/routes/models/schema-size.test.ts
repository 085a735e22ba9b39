import { chat as chatApi, messages as messagesApi, responses as responsesApi } from '@stickler/core/internal/apis'
import { expect, test } from 'vitest'
import { readCheckRequest } from '../check/check-request.ts'

/** Alternatives within alternatives: each level doubles the schema. */
function nested(levels: number): object {
  return levels === 0 ? { type: 'string' } : { anyOf: [nested(levels - 1), nested(levels - 1)] }
}

const conversation = { model: 'a', messages: [{ role: 'user', content: 'hi' }] }
const chat = (more: object): unknown => chatApi.read({ ...conversation, ...more })
const messages = (more: object): unknown => messagesApi.read({ ...conversation, max_tokens: 9, ...more })
const responses = (more: object): unknown => responsesApi.read({ model: 'a', input: 'hi', ...more })
const doors: readonly (readonly [string, (schema: object) => unknown])[] = [
  ['tools[0].function.parameters', (parameters) => chat({ tools: [{ type: 'function', function: { name: 'f', parameters } }] })],
  ['functions[0].parameters', (parameters) => chat({ functions: [{ name: 'f', parameters }] })],
  ['response_format', (schema) => chat({ response_format: { type: 'json_schema', json_schema: { name: 'a', schema } } })],
  ['tools[0].parameters', (parameters) => responses({ tools: [{ type: 'function', name: 'f', parameters }] })],
  ['tools[0].input_schema', (schema) => messages({ tools: [{ name: 'f', input_schema: schema }] })],
  ['text.format.schema', (schema) => responses({ text: { format: { type: 'json_schema', name: 'a', schema } } })],
  ['tools[0]', (parameters) => readCheckRequest({ text: '', tools: [{ type: 'function', function: { name: 'f', parameters } }] })],
  ['output_format.schema', (schema) => messages({ output_format: { type: 'json_schema', schema } })],
]

test.each(doors)('a schema of a client in %s has a limit, which the refusal names', (param, read) => {
  expect(() => read(nested(13))).not.toThrow()
  expect(() => read(nested(14))).toThrow(
    expect.objectContaining({ status: 400, details: expect.objectContaining({ param, code: 'schema_too_large' }) }),
  )
  expect(() => read(nested(14))).toThrow('it contains more than 20000 objects')
})

const names = (count: number, length = 8): string[] => Array.from({ length: count }, (_, index) => `${index}`.padStart(length, 'k'))
const wide: readonly (readonly [string, string, object])[] = [
  ['required names', '50000 keys and entries of lists', { required: names(50_001) }],
  ['members', '50000 keys and entries of lists', { enum: names(50_001, 1).map(Number) }],
  ['names of properties', '50000 keys and entries of lists', { properties: Object.fromEntries(names(50_001).map((name) => [name, true])) }],
  ['long names', '500000 characters', { required: names(5000, 101) }],
  ['long keys', '500000 characters', { properties: Object.fromEntries(names(5000, 101).map((name) => [name, true])) }],
  ['a long pattern', '500000 characters', { pattern: 'a'.repeat(500_001) }],
]

test.each(wide)('everything in a schema counts: %s', (_name, limit, schema) => {
  for (const [, read] of doors) expect(() => read(schema)).toThrow(`it contains more than ${limit}`)
})

const ring = { $ref: '#/$defs/a', $defs: { a: { anyOf: [{ type: 'string' }, { $ref: '#/$defs/b' }] }, b: { $ref: '#/$defs/a' } } }
const tree = { type: 'object', properties: { child: { $ref: '#' }, tag: { $ref: '#/$defs/tag' } }, $defs: { tag: { type: 'string' } } }

// In `/v1/check`, the answer is `unchecked`.
test.each(doors.filter(([param]) => param !== 'tools[0]'))(
  'a schema of a client in %s may be a tree, but not refer to itself without end',
  (param, read) => {
    expect(() => read(tree)).not.toThrow()
    for (const schema of [{ $ref: '#' }, ring, { $dynamicAnchor: 'a', not: { $dynamicRef: '#a' } }])
      expect(() => read(schema)).toThrow(
        expect.objectContaining({ status: 400, details: expect.objectContaining({ param, code: 'endless_schema' }) }),
      )
  },
)
