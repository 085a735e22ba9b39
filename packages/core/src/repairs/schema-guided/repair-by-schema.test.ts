import { describe, expect, it, test } from 'vitest'
import type { RepairClass } from '../../contract/certificate.ts'
import { changedText } from '../apply.ts'
import { repairBySchema, type SchemaRepairOptions } from './repair-by-schema.ts'

const everything: readonly RepairClass[] = ['lossless', 'lossy', 'guess']

function repaired(text: string, schema: unknown, options: SchemaRepairOptions = { allow: everything }): string {
  return String(changedText(text, repairBySchema(text, schema, options)))
}

const object = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more })
const number = { type: 'number' }
const string = { type: 'string' }
const strings = { type: 'array', items: string }
const person = object({ name: string, age: { type: 'integer' } }, { required: ['name', 'age'] })
const closed = object({ user_name: string, unit: { enum: ['celsius', 'fahrenheit'] } }, { additionalProperties: false })

type Row = readonly [rule: string, kind: RepairClass, schema: object, text: string, after: string]

const rows: readonly Row[] = [
  ['string-to-number', 'lossless', object({ a: { type: 'integer' } }), '{"a": "10000000"}', '{"a": 10000000}'],
  ['string-to-number', 'lossless', object({ a: number }), '{"a": " 25.0 "}', '{"a": 25.0}'],
  ['string-to-number', 'lossless', number, '"+.5"', '0.5'],
  ['string-to-number', 'lossy', number, '"12345678901234567890"', '12345678901234567890'],
  ['string-to-number', 'guess', number, '"1,234.5"', '1234.5'],
  ['string-to-boolean', 'lossless', object({ a: { type: 'boolean' } }), '{"a": "False"}', '{"a": false}'],
  ['string-to-boolean', 'lossy', { type: 'boolean' }, '"yes"', 'true'],
  ['string-to-boolean', 'guess', { type: 'boolean' }, '"0"', 'false'],
  ['number-to-boolean', 'guess', { type: 'boolean' }, '1', 'true'],
  ['string-to-null', 'lossless', { type: 'null' }, '"null"', 'null'],
  ['string-to-null', 'guess', { type: ['number', 'null'] }, '"None"', 'null'],
  ['number-to-string', 'lossless', object({ id: string }), '{"id": 12345678901234567890}', '{"id": "12345678901234567890"}'],
  ['unstringify', 'lossless', object({ a: strings }), '{"a": "[\\"x\\", \\"y\\"]"}', '{"a": ["x", "y"]}'],
  ['unstringify', 'lossless', person, '"{\\"name\\": \\"Ada\\", \\"age\\": \\"36\\"}"', '{"name": "Ada", "age": 36}'],
  ['unstringify', 'lossless', { type: 'array' }, '"\\"[1]\\""', '[1]'],
  ['match-enum', 'lossless', { enum: ['in_progress', 'done'] }, '"In Progress"', '"in_progress"'],
  ['match-enum', 'lossless', { enum: [1, 2] }, '"2"', '2'],
  ['match-enum', 'lossless', { enum: ['1', '2'] }, '2', '"2"'],
  ['match-enum', 'lossless', { const: 'GPT-4' }, '"gpt4"', '"GPT-4"'],
  ['match-enum', 'guess', { enum: ['celsius', 'fahrenheit'] }, '"celcius"', '"celsius"'],
  ['match-enum', 'guess', { oneOf: [{ const: 'celsius' }, { const: 'fahrenheit' }] }, '"farenheit"', '"fahrenheit"'],
  ['rename-key', 'lossless', person, '{"Name": "Ada", "age": 36}', '{"name": "Ada", "age": 36}'],
  ['rename-key', 'lossless', closed, '{"userName": "ada"}', '{"user_name": "ada"}'],
  ['rename-key', 'guess', object({ location: string }, { required: ['location'] }), '{"locaton": "x"}', '{"location": "x"}'],
  ['rename-key', 'guess', object({ name: string }, { required: ['name'] }), '{"nmae": "x"}', '{"name": "x"}'],
  ['rename-key', 'guess', object({ mode: string }, { required: ['mode'] }), '{"mod": "x"}', '{"mode": "x"}'],
  ['rename-key', 'guess', object({ name: string }, { required: ['name'] }), '{"nmae": "x"}', '{"name": "x"}'],
  ['rename-key', 'guess', object({ count: number }, { required: ['count'] }), '{"cout": 3}', '{"count": 3}'],
  ['drop-null', 'guess', object({ count: number }, { additionalProperties: false }), '{"cout": null}', '{}'],
  [
    'rename-key',
    'guess',
    object({ count: { type: ['number', 'null'] } }, { additionalProperties: false }),
    '{"cout": null}',
    '{"count": null}',
  ],
  ['fill-default', 'lossless', object({ a: string, n: { default: 5 } }, { required: ['n'] }), '{"a": "x"}', '{"a": "x", "n": 5}'],
  ['fill-default', 'lossless', object({ n: { $ref: '#/$defs/n' } }, { required: ['n'], $defs: { n: { default: [] } } }), '{}', '{"n": []}'],
  ['fill-const', 'guess', object({ type: { const: 'circle' } }, { required: ['type'] }), '{ }', '{"type": "circle" }'],
  ['drop-null', 'lossy', object({ a: string, b: number }), '{"a": null, "b": 1}', '{"b": 1}'],
  ['remove-property', 'lossy', closed, '{"user_name": "x", "zzz": 1}', '{"user_name": "x"}'],
  ['drop-item', 'guess', { type: 'array', items: number }, '[1, "N/A", 2]', '[1, 2]'],
  ['wrap-in-array', 'lossless', object({ tags: strings }), '{"tags": "red"}', '{"tags": ["red"]}'],
  ['wrap-in-array', 'guess', strings, '"red, green"', '["red, green"]'],
  ['wrap-in-array', 'lossless', { type: 'array', items: person }, '{"name": "Ada", "age": "36"}', '[{"name": "Ada", "age": 36}]'],
  ['unwrap-array', 'guess', object({ a: string }), '{"a": ["x"]}', '{"a": "x"}'],
  ['unwrap-object', 'guess', object({ a: number }), '{"a": {"value": "5"}}', '{"a": 5}'],
  ['unwrap-object', 'guess', person, '{"arguments": {"name": "Ada", "age": 36}}', '{"name": "Ada", "age": 36}'],
  ['positional-array', 'guess', person, '["Ada", 36]', '{"name": "Ada", "age": 36}'],
]

describe('one change', () => {
  test.each(rows)('%s (%s) %j: %s', (rule, kind, schema, text, after) => {
    const edits = repairBySchema(text, schema, { allow: everything })
    expect(edits.map((edit) => [edit.rule, edit.class])).toEqual([[rule, kind]])
    expect(changedText(text, edits)).toBe(after)
    expect(repairBySchema(after, schema, { allow: everything })).toEqual([])
    if (kind !== 'lossless') expect(repairBySchema(text, schema, { allow: everything.filter((one) => one !== kind) })).toEqual([])
  })
})

test.each([
  ['null for a required argument', object({ count: number }, { required: ['count'], additionalProperties: false }), '{"cout": null}'],
  ['another letter in a short name', object({ host: string }, { required: ['host'] }), '{"cost": "x"}'],
  ['a letter more in a short name', object({ host: string }, { required: ['host'] }), '{"hot": "x"}'],
  ['another first letter', object({ page: number }, { required: ['page'] }), '{"age": 3}'],
  ['another first letter of a long name', object({ amount: number }, { required: ['amount'] }), '{"mount": 3}'],
  ['another letter in a name of five', object({ price: number }, { required: ['price'] }), '{"prize": 3}'],
])('left alone: %s', (_name, schema, text) => {
  expect(repaired(text, schema, { allow: ['lossless', 'guess'] })).toBe(text)
})

test('null for an argument whose name is misspelt is dropped as a guess where absence means the same', () => {
  const schema = object({ count: number, host: string }, { required: ['host'], additionalProperties: false })
  const options = (...allow: RepairClass[]): SchemaRepairOptions => ({ allow, nullIsAbsent: true })
  const text = '{"host": "x", "cout": null}'
  expect(repaired(text, schema, options('lossless'))).toBe(text)
  expect(repaired(text, schema, options('lossless', 'guess'))).toBe('{"host": "x"}')
  expect(repaired('{"host": "x", "Count": null}', schema, options('lossless'))).toBe('{"host": "x"}')
})

describe('several changes', () => {
  it('are sorted, minimal, and know their paths', () => {
    const schema = object(
      { days: { type: 'integer' }, unit: { enum: ['C', 'F'] }, tags: strings, on: { type: 'boolean', default: false } },
      { required: ['on'] },
    )
    const text = '{ "tags": ["a", 1], "days" : "7", "unit": "c", "extra": 1.50 }'
    const edits = repairBySchema(text, schema)
    expect(changedText(text, edits)).toBe('{ "tags": ["a", "1"], "days" : 7, "unit": "C", "extra": 1.50, "on": false }')
    expect(edits.map(({ path, before, after }) => [path.join('.'), before, after])).toEqual([
      ['tags.1', '1', '"1"'],
      ['days', '"7"', '7'],
      ['unit', '"c"', '"C"'],
      ['on', '', ', "on": false'],
    ])
    for (const { start, before } of edits) expect(text.slice(start, start + before.length)).toBe(before)
  })
  test.each([
    [
      'all members removed, one filled in',
      object({ a: { default: 1 } }, { required: ['a'], additionalProperties: false }),
      '{"x": 1, "y": 2}',
      '{"a": 1}',
    ],
    [
      'the last removed, two filled in',
      object({ a: number, b: { default: 1 }, c: { default: 2 } }, { required: ['b', 'c'], additionalProperties: false }),
      '{"a": 1, "x": 2}',
      '{"a": 1, "b": 1, "c": 2}',
    ],
    ['first and last removed', object({ a: number }, { additionalProperties: false }), '{"x": 0, "a": "1", "y": 2, "z": 3}', '{"a": 1}'],
    ['mended and dropped items', { type: 'array', items: number }, '["x", "1", {}, 2, []]', '[1, 2]'],
    ['renamed and coerced', person, '{"NAME": 5, "Age": "36"}', '{"name": "5", "age": 36}'],
    [
      'through references and allOf',
      { allOf: [{ $ref: '#/$defs/p' }, object({ age: { maximum: 99 } })], $defs: { p: person } },
      '{"name": "Ada", "age": "36"}',
      '{"name": "Ada", "age": 36}',
    ],
    [
      'in a tree',
      object({ n: number, kids: { type: 'array', items: { $ref: '#' } } }),
      '{"n": "1", "kids": [{"n": 2, "kids": [{"n": "3"}]}]}',
      '{"n": 1, "kids": [{"n": 2, "kids": [{"n": 3}]}]}',
    ],
    [
      'in what may be null',
      object({ p: { anyOf: [person, { type: 'null' }] } }),
      '{"p": {"name": "Ada", "age": "36"}}',
      '{"p": {"name": "Ada", "age": 36}}',
    ],
    [
      'by then',
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      { ...object({ kind: string, n: true }), if: object({ kind: { const: 'a' } }), then: object({ n: number }) },
      '{"kind": "a", "n": "1"}',
      '{"kind": "a", "n": 1}',
    ],
    ['in prefix items', { type: 'array', prefixItems: [string, number] }, '[1, "2", true]', '["1", 2, true]'],
    ['in additional properties', { type: 'object', additionalProperties: number }, '{"a": "1"}', '{"a": 1}'],
    ['in pattern properties', { type: 'object', patternProperties: { '^n_': number } }, '{"n_a": "1", "b": "1"}', '{"n_a": 1, "b": "1"}'],
    ['one part, when another cannot be mended', object({ a: number, b: number }), '{"a": "1", "b": "many"}', '{"a": 1, "b": "many"}'],
  ])('%s', (_, schema, text, after) => expect(repaired(text, schema)).toBe(after))
})

describe('choosing among alternatives', () => {
  const shape = {
    oneOf: [
      object({ kind: { const: 'circle' }, r: number }, { required: ['kind', 'r'] }),
      object({ kind: { const: 'box' }, w: number }, { required: ['kind', 'w'] }),
    ],
  }
  test.each([
    ['the one that fits but for a type', shape, '{"kind": "box", "w": "2"}', '{"kind": "box", "w": 2}'],
    ['the one whose tag is nearly right', shape, '{"kind": "Circle", "r": 2}', '{"kind": "circle", "r": 2}'],
    ['the less risky one', { anyOf: [{ type: 'boolean' }, number] }, '"1"', '1'],
    ['reading before wrapping', { anyOf: [strings, number] }, '"5"', '5'],
    [
      'none, when two are as likely',
      { anyOf: [object({ a: number }, { required: ['a'] }), object({ b: number }, { required: ['b'] })] },
      '"x"',
      '"x"',
    ],
    ['none, when a tag is missing', shape, '{"r": "x", "w": "y"}', '{"r": "x", "w": "y"}'],
  ])('%s', (_, schema, text, after) => expect(repaired(text, schema)).toBe(after))
})

describe('what is left alone', () => {
  test.each<[string, object, string]>([
    ['a valid value', person, '{"name": "Ada", "age": 36.0, "x": 12345678901234567890}'],
    ['a default that need not be there', object({ a: { default: 1 } }), '{}'],
    ['a default that breaks its schema', object({ a: { type: 'string', default: 1 } }, { required: ['a'] }), '{}'],
    ['a choice that was not made', object({ a: { enum: ['x', 'y'] } }, { required: ['a'] }), '{}'],
    ['an empty list that was not given', object({ a: strings }, { required: ['a'] }), '{}'],
    ['a code with leading zeros', number, '"007"'],
    ['a number with a unit', number, '"5 km"'],
    ['a fraction for an integer', { type: 'integer' }, '"3.7"'],
    ['infinity', number, '"Infinity"'],
    ['a boolean for a string', string, 'true'],
    ['null for a string', object({ a: string }, { required: ['a'] }), '{"a": null}'],
    ['a number that is too small', { minimum: 5 }, '3'],
    ['a text that is too short', { minLength: 5 }, '"abc"'],
    ['a list in a text that is wanted', string, '["a", "b"]'],
    ['a sign', { enum: ['+1', '0'] }, '"-1"'],
    ['another version', { enum: ['v1.2'] }, '"v12"'],
    ['the opposite', { enum: ['include', 'decrease', 'desc', 'on'] }, '"exclude"'],
    ['the opposite, too', { enum: ['decrease', 'off'] }, '"increase"'],
    ['one of two near words', { enum: ['colour_a', 'colour_b'] }, '"colour_c"'],
    ['two keys for one property', object({ name: string }, { required: ['name'] }), '{"Name": "a", "NAME": "b"}'],
    ['a key whose value does not fit', object({ name: string }, { required: ['name'] }), '{"Name": true}'],
    ['a key like an optional one in an open object', object({ user_name: string }), '{"userName": "x"}'],
    ['a key that is nearly right, when its value does not fit', closed, '{"userName": true}'],
    ['duplicate keys', closed, '{"x": 1, "x": 2}'],
    ['positions that do not fit', person, '[36, "Ada"]'],
    ['positions that are too many', person, '["Ada", 36, 1]'],
    ['a list of nothing valid', { type: 'array', items: number }, '["a", "b"]'],
    ['an object with one key that is no wrapper', object({ a: number }), '{"a": {"total": 5}}'],
    ['a number wrapped to escape a rule', { required: ['x'] }, '{"value": 5}'],
    ['a text that is not JSON', person, '{"name": "Ada", "age": "36"'],
  ])('%s', (_, schema, text) => expect(repaired(text, schema)).toBe(text))
})

describe('options', () => {
  it('fills in all defaults when told', () => {
    const schema = object({ a: { default: 'x' }, b: object({ c: { default: 1 } }), d: string })
    expect(repaired('{"b": {}}', schema, { defaults: 'all' })).toBe('{"b": {"c": 1}, "a": "x"}')
    expect(repaired('{"a": 1, "b": {"c": 2}}', schema, { defaults: 'all' })).toBe('{"a": 1, "b": {"c": 2}}')
  })
  it('reads what is almost JSON in a string, as a guess', () => {
    const readLenient = (text: string): string | undefined => (text === '[a, b]' ? '["a", "b"]' : undefined)
    const [edit] = repairBySchema('"[a, b]"', strings, { allow: everything, readLenient })
    expect(edit).toMatchObject({ rule: 'unstringify', class: 'guess', after: '["a", "b"]' })
    expect(repairBySchema('"[a, b]"', strings, { readLenient })).toEqual([])
    expect(repaired('"[a; b]"', strings, { allow: everything, readLenient })).toBe('["[a; b]"]')
  })
  it('refuses a schema that is wrong', () => expect(() => repairBySchema('1', { type: 'x' })).toThrow('the schema is invalid'))
})
