import { expect, test } from 'vitest'
import * as z from 'zod'
import { contract } from '../../index.ts'
import { json, maxWords } from '../../validators.ts'
import { defineContract } from '../define-contract.ts'

const direct = 'checks.0.json: this is a schema; write `json({ schema })`'
const uncalled = 'checks.0: call it, as in `json({ schema })`'

test.each<[string, unknown, string]>([
  ['a JSON Schema', json({ type: 'object', properties: { a: {} } } as never), direct],
  ['a JSON Schema without a type', json({ anyOf: [{}] } as never), direct],
  ['a schema of Zod', json(z.object({ a: z.string() }) as never), direct],
  ['a schema that is a function', json(Object.assign(() => {}, { '~standard': {} }) as never), direct],
  ['json that is not called', json, uncalled],
  ['another validator that is not called', maxWords, uncalled],
  ['an unknown option beside a schema', json({ schema: {}, type: 'object' } as never), 'checks.0.json.type: unknown key "type"'],
  ['a misspelt option', json({ shcema: {} } as never), 'did you mean "schema"?'],
])('%s says what to write', (_, check, message) => {
  expect(() => defineContract({ checks: [check as never] })).toThrow(message)
  expect(() => contract({ checks: [check as never] })).toThrow(message)
})

test('a schema in a file, in place of the options', () => {
  expect(() => contract({ checks: [{ json: { type: 'object' } } as never] })).toThrow(direct)
})

test.each<[string, object, string]>([
  ['an option beside the checks', { aliases: { a: 'b' } }, 'aliases: unknown key "aliases"; it is an option of tool_calls, in `checks`'],
  ['an option of another check', { checks: [{ tool_sequence: { aliases: { a: 'b' } } }] }, 'it is an option of tool_calls, in `checks`'],
  ['a check beside the checks', { tool_calls: { strict: true } }, 'unknown key "tool_calls"; it is a check: list it in `checks`'],
  ['aliases by kind', { checks: [{ tool_calls: { aliases: { tools: { a: 'b' } } } }] }, 'aliases.tools: must be a name: list wrong names'],
  ['a misspelt key', { aliasses: {}, retreis: 1 }, 'did you mean "retries"?'],
])('%s: the message says where it belongs', (_, input, message) => {
  expect(() => contract(input as never)).toThrow(message)
})

test('options that are right pass', () => {
  for (const options of [{}, { schema: z.object({}) }, { schema: { type: 'object' } }, { schema: { items: { $ref: '#' } } }])
    expect(() => contract({ checks: [json(options)] })).not.toThrow()
})
