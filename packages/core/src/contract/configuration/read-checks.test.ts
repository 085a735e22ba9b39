import { expect, test } from 'vitest'
import * as z from 'zod'
import { contract } from '../../index.ts'
import { json, links, maxWords } from '../../validators.ts'
import { buildContract } from '../contract.ts'
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

test.each<[object, unknown]>([
  [{ max_words: 5 }, { limit: 5 }],
  [{ language: 'de' }, { is: 'de' }],
  [{ language: ['de', 'en'] }, { is: ['de', 'en'] }],
  [{ one_of: ['a', 'b'] }, { values: ['a', 'b'] }],
  [{ links: ['acme.com'] }, { hosts: ['acme.com'] }],
  [maxWords(5), { limit: 5 }],
])('%j is the short form of %j', (check, options) => {
  const [validator] = contract({ checks: [check as never] }).validators
  expect(validator?.written).toEqual(options)
  expect(contract({ checks: [{ [validator?.name ?? '']: options } as never] }).validators[0]?.instruction).toBe(validator?.instruction)
})

test.each<[object, string]>([
  [{ max_words: 'five' }, 'checks.0.max_words: expected number, received string'],
  [{ max_words: 0 }, 'checks.0.max_words: too small'],
  [{ max_words: true }, 'checks.0.max_words: expected number, received boolean'],
  [{ max_words: [5] }, 'checks.0.max_words: expected number, received array'],
  [{ language: 'german' }, 'checks.0.language: unknown value "german"'],
  [{ language: ['de', 'xx'] }, 'checks.0.language.1: unknown value "xx"'],
  [{ links: ['https://acme.com'] }, 'checks.0.links.0: must be a host'],
  [{ one_of: 'yes' }, 'checks.0.one_of: expected array, received string; write `one_of: ["yes"]`'],
  [{ contains: 'x' }, 'checks.0.contains: expected array, received string; write `contains: ["x"]`'],
  [{ links: 'acme.com' }, 'checks.0.links: expected array, received string; write `links: ["acme.com"]`'],
  [{ length: 5 }, 'checks.0.length: expected object, received number'],
  [{ max_words: { limt: 5 } }, 'checks.0.max_words.limt: unknown key "limt"; did you mean "limit"?'],
])('%j says what is wrong where it is written', (check, message) => {
  expect(() => contract({ checks: [check as never] })).toThrow(message)
})

test('a short form is laid over the options of a preset', () => {
  const preset = { summary: 'short', checks: [{ max_words: 9 }, { links: { hosts: ['a.com'], denied: ['b.com'] } }] }
  const catalogue = { validators: [maxWords, links], presets: { preset } }
  const { validators } = buildContract({ preset: 'preset', checks: [{ max_words: 5 }, { links: ['c.com'] }] }, catalogue)
  expect(validators.map(({ written }) => written)).toEqual([{ limit: 5 }, { hosts: ['c.com'], denied: ['b.com'] }])
})
