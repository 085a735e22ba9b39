import { describe, expect, it, test } from 'vitest'
import { compileSchema } from './compile.ts'
import type { Draft } from './draft.ts'

/** Schema, a value that it takes, one that it does not, and what is said of that. */
const cases: readonly (readonly [schema: unknown, good: unknown, bad: unknown, message: string])[] = [
  [{ type: 'integer' }, 1.0, '5', 'Make the value an integer; it is the string "5".'],
  [{ type: ['string', 'null'] }, null, 1, 'Make the value a string or null; it is the number 1.'],
  [{ properties: { age: { minimum: 18 } } }, { age: 18 }, { age: 3 }, 'Make age at least 18; it is 3.'],
  [{ exclusiveMaximum: 3 }, 2, 3, 'Make the value less than 3; it is 3.'],
  [{ multipleOf: 0.0001 }, 0.0075, 0.00751, 'Make the value a multiple of 0.0001; it is 0.00751.'],
  [{ enum: ['a', 1, null] }, 1, 'b', 'Set the value to "a", 1 or null; it is the string "b".'],
  [{ const: { a: [1] } }, { a: [1] }, { a: [2] }, 'Set the value to {"a":[1]}; it is an object of 1 property.'],
  [{ enum: [] }, undefined, 1, 'Remove the value; no value is allowed there.'],
  [{ minLength: 2 }, '🐉🐉', '🐉', 'Lengthen the value to at least 2 characters; it has 1.'],
  [{ items: { maxLength: 1 } }, ['a'], ['a', 'bc'], 'Cut [1] to at most 1 character; it has 2.'],
  [{ maxItems: 1 }, [1], [1, 2, 3], 'Cut the value to at most 1 item; it has 3.'],
  [{ pattern: '^a' }, 'ab', 'b', 'Make the value match the pattern "^a"; it is the string "b".'],
  [
    { uniqueItems: true },
    [1, true, '1'],
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    'Remove duplicates from the value; items 0 and 1 are equal.',
  ],
  [{ required: ['a'] }, { a: 1 }, {}, 'Add the property "a" to the value; it is missing.'],
  [{ dependentRequired: { a: ['b'] } }, { b: 1 }, { a: 1 }, 'Add the property "b" to the value; it must come with "a".'],
  [{ properties: { a: true }, additionalProperties: false }, { a: 1 }, { b: 1 }, 'Remove b; the property "b" is not allowed.'],
  [{ propertyNames: { maxLength: 1 } }, { a: 1 }, { 'b c': 1 }, 'Rename ["b c"]; the key "b c" is not allowed.'],
  [{ contains: { type: 'number' } }, ['a', 1], ['a'], 'Add an item to the value of the kind that it must contain; it has none.'],
  [{ not: { type: 'null' } }, 1, null, 'Change the value; it has a form that is not allowed: null.'],
  [{ oneOf: [{ minimum: 1 }, { minimum: 2 }] }, 1, 3, 'Make the value match exactly one of the allowed forms; it matches 2.'],
  [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, null, 1, 'Make the value a string or null; it is the number 1.'],
  [{ oneOf: [{ const: 'a' }, { const: 'b' }] }, 'b', 'c', 'Set the value to "a" or "b"; it is the string "c".'],
  [
    {
      anyOf: [
        { properties: { kind: { const: 'a' }, x: { type: 'string' } } },
        { properties: { kind: { const: 'b' }, y: { type: 'string' } } },
      ],
    },
    { kind: 'a', x: '' },
    { kind: 'b', y: 1 },
    'Make y a string; it is the number 1.',
  ],
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  [{ if: { required: ['a'] }, then: { required: ['b'] } }, {}, { a: 1 }, 'Add the property "b" to the value; it is missing.'],
  [
    { allOf: [{ properties: { a: true } }], unevaluatedProperties: false },
    { a: 1 },
    { b: 1 },
    'Remove b; the property "b" is not allowed.',
  ],
  [{ prefixItems: [true], unevaluatedItems: false }, [1], [1, 2], 'Remove [1]; nothing is allowed there, and it is the number 2.'],
  [{ $ref: '#/$defs/a%20b', $defs: { 'a b': { type: 'null' } } }, null, 1, 'Make the value null; it is the number 1.'],
  [
    { properties: { child: { $ref: '#' } }, required: ['n'] },
    { n: 1, child: { n: 1 } },
    { n: 1, child: {} },
    'Add the property "n" to child; it is missing.',
  ],
]

describe('compileSchema', () => {
  test.each(cases)('%j', (schema, good, bad, message) => {
    const { validate } = compileSchema(schema)
    if (good !== undefined) expect(validate(good)).toEqual([])
    expect(validate(bad).map((problem) => problem.message)).toEqual([message])
  })
  test.each(cases)('%j is checked alike however often', (schema, good, bad) => {
    const compiled = compileSchema(schema)
    for (let round = 0; round < 250; round++) compiled.validate(bad)
    if (good !== undefined) expect(compiled.validate(good)).toEqual([])
    expect(compiled.validate(bad)).toEqual(compileSchema(schema).validate(bad))
  })
  it('gives path, keyword and parameters of all that is wrong', () => {
    const { validate } = compileSchema({ type: 'object', properties: { a: { items: { type: 'string' } } }, required: ['b'] })
    expect(validate({ a: ['x', 1, 2] }).map(({ path, keyword, params }) => ({ path, keyword, params }))).toEqual([
      { path: [], keyword: 'required', params: { missingProperty: 'b' } },
      { path: ['a', 1], keyword: 'type', params: { type: 'string' } },
      { path: ['a', 2], keyword: 'type', params: { type: 'string' } },
    ])
  })
  it('quotes as it is told', () => {
    const { validate } = compileSchema({ type: 'null' }, { quote: (text) => `«${text}»` })
    expect(validate('x')[0]?.message).toBe('Make the value null; it is the string «x».')
  })
  it('keeps messages short and on one line', () => {
    const [problem] = compileSchema({ type: 'null' }).validate(`a\n\u2028${'x'.repeat(10_000)}`)
    expect(problem?.message).toMatch(/^Make the value null; it is the string "a\\n\\u2028x+…"\.$/)
    expect(problem?.message.length).toBeLessThan(200)
  })
  it('reports no more than a hundred problems', () => {
    expect(compileSchema({ items: { type: 'string' } }).validate(new Array(10_000).fill(1))).toHaveLength(100)
  })
  it('asserts formats, unless they are annotations', () => {
    expect(compileSchema({ format: 'email' }).validate('no')).toMatchObject([{ keyword: 'format', params: { format: 'email' } }])
    expect(compileSchema({ format: 'email' }, { format: 'annotate' }).validate('no')).toEqual([])
    for (const format of ['idn-email', 'my-own', 'toString']) expect(compileSchema({ format }).validate('no')).toEqual([])
    expect(compileSchema({ format: 'email' }).validate(7)).toEqual([])
  })
  it('says once what is not even of its format', () => {
    const { validate } = compileSchema({ format: 'date', pattern: '^2026-' })
    expect([validate('soon'), validate('2025-01-01')].map((found) => found.map(({ message }) => message))).toEqual([
      ['Make the value a date, such as 2026-01-31; it is the string "soon".'],
      ['Make the value match the pattern "^2026-"; it is the string "2025-01-01".'],
    ])
  })
  it('takes numbers as they are', () => {
    const { validate } = compileSchema({ type: 'integer' })
    for (const text of ['12345678901234567890', '-0', '1.0', '1e2']) expect(validate(JSON.parse(text))).toEqual([])
    expect(compileSchema({ type: 'number' }).validate(JSON.parse('1e400'))).toEqual([])
  })
})

describe('drafts', () => {
  const tuple = { items: [{ type: 'string' }], additionalItems: false }
  test.each<[Draft | undefined, unknown, unknown, boolean]>([
    ['7', tuple, ['a', 1], false],
    ['2019-09', tuple, ['a'], true],
    ['7', { $ref: '#/definitions/a', type: 'null', definitions: { a: { type: 'string' } } }, 'x', true],
    ['2020-12', { $ref: '#/definitions/a', type: 'null', definitions: { a: { type: 'string' } } }, 'x', false],
    ['7', { dependencies: { a: ['b'], c: { required: ['d'] } } }, { c: 1 }, false],
    [undefined, { $schema: 'http://json-schema.org/draft-07/schema#', ...tuple }, ['a', 1], false],
    [undefined, { $schema: 'https://json-schema.org/draft/2019-09/schema', ...tuple }, ['a', 1], false],
    [undefined, { prefixItems: [{ type: 'string' }] }, [1], false],
    ['7', { prefixItems: [{ type: 'string' }] }, [1], true],
    ['7', { $ref: 'http://json-schema.org/draft-07/schema#' }, { minLength: -1 }, false],
    ['2019-09', { $ref: 'https://json-schema.org/draft/2019-09/schema' }, { minLength: -1 }, false],
    ['2020-12', { $ref: 'https://json-schema.org/draft/2020-12/schema' }, { properties: { a: { type: 'wrong' } } }, false],
    ['2020-12', { $ref: 'https://json-schema.org/draft/2020-12/schema' }, { properties: { a: { type: 'null' } } }, true],
    [
      '2019-09',
      { $id: 'http://x/tree', $recursiveAnchor: true, properties: { a: { $recursiveRef: '#' }, n: { type: 'null' } } },
      { a: { n: 1 } },
      false,
    ],
    ['2020-12', { $ref: 'item', $defs: { i: { $id: 'item', $anchor: 'here', type: 'null' }, j: { $ref: 'item#here' } } }, null, true],
  ])('%s %j %j', (draft, schema, value, valid) => expect(compileSchema(schema, { draft }).validate(value).length === 0).toBe(valid))
})
