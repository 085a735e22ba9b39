import { describe, expect, it, test } from 'vitest'
import type { RepairClass } from '../../contract/certificate.ts'
import { changedText } from '../apply.ts'
import { repairBySchema } from './repair-by-schema.ts'

const allow: readonly RepairClass[] = ['lossless', 'lossy', 'guess']
const tree = { type: 'object', properties: { a: { $ref: '#' }, n: { type: 'number' } }, required: ['n'] }
const wide = {
  type: 'object',
  properties: Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`property_number_${at}`, { type: 'number' }])),
  additionalProperties: false,
}
const unions = {
  anyOf: Array.from({ length: 8 }, (_, at) => ({ type: 'object', properties: { [`k${at}`]: { $ref: '#' } }, required: [`k${at}`, 'x'] })),
}

describe('hostile input', () => {
  test.each<[string, unknown, () => string]>([
    ['100 000 brackets', { type: 'array', items: { $ref: '#' } }, () => '['.repeat(100_000) + ']'.repeat(100_000)],
    ['a deep tree', tree, () => `${'{"n":"1","a":'.repeat(5000)}{}${'}'.repeat(5000)}`],
    [
      'a string in a string in a string',
      { type: 'array' },
      () => Array.from({ length: 16 }).reduce<string>((text) => JSON.stringify(text), '['),
    ],
    [
      '10 000 unknown keys',
      wide,
      () => JSON.stringify(Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`proprety_number_${at}`, 1]))),
    ],
    ['alternatives within alternatives', unions, () => JSON.stringify({ k0: { k1: { k2: { k3: { k4: { k5: { k6: {} } } } } } } })],
    [
      '100 000 wrong words',
      { items: { enum: Array.from({ length: 2000 }, (_, at) => `word number ${at}`) } },
      () => JSON.stringify(new Array(100_000).fill('word numbr')),
    ],
    ['a tree of itself', { type: 'object', properties: { inner: { $ref: '#' } } }, () => `${'{"inner":'.repeat(400)}1${'}'.repeat(400)}`],
    ['5 MB of text', { type: 'number' }, () => JSON.stringify('1,'.repeat(2_500_000))],
  ])('%s ends, in JSON', (_, schema, text) => {
    const json = text()
    const edits = repairBySchema(json, schema, { allow })
    expect(() => JSON.parse(String(changedText(json, edits)))).not.toThrow()
  })
  it('refuses a schema that refers to itself without end', () => {
    expect(() => repairBySchema('1', { anyOf: [{ type: 'string' }, { $ref: '#' }] }, { allow })).toThrow('refers to itself without end')
  })
  it('takes prototype keys as data', () => {
    const schema: unknown = JSON.parse(
      '{"properties": {"__proto__": {"type": "object", "properties": {"polluted": {"type": "boolean"}}}}, "type": "object"}',
    )
    const text = '{"__proto__": {"polluted": "true"}, "constructor": {"prototype": 1}}'
    expect(changedText(text, repairBySchema(text, schema))).toBe('{"__proto__": {"polluted": true}, "constructor": {"prototype": 1}}')
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
    const required: unknown = { type: 'object', properties: { toString: { type: 'string' } }, required: ['toString', '__proto__'] }
    expect(repairBySchema('{"to_string": "x"}', required)).toMatchObject([{ rule: 'rename-key', after: '"toString"' }])
  })
  test.each(['1e400', '12345678901234567890', '-0', '1.0', '1E+2'])('keeps the number %s as it is written', (number) => {
    const text = `{"n": "5", "kept": ${number}}`
    const schema = { type: 'object', properties: { n: { type: 'number' }, kept: { type: 'number' } } }
    expect(changedText(text, repairBySchema(text, schema))).toBe(`{"n": 5, "kept": ${number}}`)
  })
  it('keeps lone surrogates', () => {
    const text = '{"s": "\ud800", "n": "1"}'
    expect(changedText(text, repairBySchema(text, { properties: { n: { type: 'number' } } }))).toBe('{"s": "\ud800", "n": 1}')
  })
})
