import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Fields } from '../../../answer/tool-shapes/fields.ts'
import { ValidatorUnavailable } from '../../../contract/validator-unavailable.ts'
import { createSchemaCache } from '../../../schema/cache.ts'
import { budgetFor } from '../../../schema/step-budget.ts'
import { argumentFaults } from './argument-faults.ts'

const cache = createSchemaCache()
/** The faults, and at the end that the schema cannot be used where that is so. */
const faults = (schema: Fields, value: Fields): string[] => {
  const found: string[] = []
  try {
    for (const { code, path } of argumentFaults(schema, value, cache, budgetFor(10_000))) found.push(`${code} ${path.join('.')}`)
  } catch (error) {
    if (!(error instanceof ValidatorUnavailable)) throw error
    found.push('unusable')
  }
  return found
}
const inside = (schema: unknown): Fields => ({ type: 'object', properties: { x: schema } })

describe('argumentFaults', () => {
  test.each<[string, unknown, unknown, string[]]>([
    ['true is no number', { type: 'number' }, true, ['WRONG_TYPE x']],
    ['true is no integer', { type: 'integer' }, true, ['WRONG_TYPE x']],
    ['1.0 is an integer', { type: 'integer' }, JSON.parse('1.0'), []],
    ['1.5 is none', { type: 'integer' }, 1.5, ['WRONG_TYPE x']],
    ['1e400 is no integer', { type: 'integer' }, JSON.parse('1e400'), ['WRONG_TYPE x']],
    ['a large integer', { type: 'integer' }, JSON.parse('12345678901234567890'), []],
    ['an integer is a number', { type: 'number' }, 1, []],
    ['a text is no number', { type: 'number' }, '1', ['WRONG_TYPE x']],
    ['null is no object', { type: 'object' }, null, ['WRONG_TYPE x']],
    ['a list is no object', { type: 'object' }, [], ['WRONG_TYPE x']],
    ['several types', { type: ['string', 'null'] }, null, []],
    ['nullable', { type: 'string', enum: ['a'], nullable: true }, null, []],
    ['a type that nobody knows', { type: 'strnig' }, 1, ['unusable']],
    ['a type of Python', { type: 'dict' }, 1, ['WRONG_TYPE x']],
    ['required at a property', { type: 'string', required: true }, 1, ['WRONG_TYPE x']],
    ['a member', { enum: ['a', 1, null, { b: [1] }] }, { b: [1] }, []],
    ['no member', { type: 'string', enum: ['a'] }, 'b', ['INVALID_ENUM x']],
    ['neither type nor member', { type: 'string', enum: ['a'] }, 1, ['WRONG_TYPE x', 'INVALID_ENUM x']],
    ['a constant', { const: 'a' }, 'b', ['INVALID_ENUM x']],
    ['items', { type: 'array', items: { type: 'string' } }, ['a', 1, null], ['WRONG_TYPE x.1', 'WRONG_TYPE x.2']],
    ['a tuple', { prefixItems: [{ type: 'string' }], items: { type: 'number' } }, [1, 'a'], ['WRONG_TYPE x.0', 'WRONG_TYPE x.1']],
    ['a tuple of draft 7', { items: [{ type: 'string' }] }, [1, 'a'], ['WRONG_TYPE x.0']],
    [
      'inner objects',
      { type: 'object', properties: { y: {} }, required: ['y', 'z'] },
      { w: 1 },
      ['MISSING_ARGUMENT x.y', 'MISSING_ARGUMENT x.z', 'UNKNOWN_ARGUMENT x.w'],
    ],
    ['free objects', { type: 'object' }, { w: 1 }, []],
    ['open objects', { properties: { y: {} }, additionalProperties: { type: 'string' } }, { w: 1 }, ['WRONG_TYPE x.w']],
    ['patterns', { properties: {}, patternProperties: { '^w': {} } }, { w: 1 }, []],
    ['no properties at all', { additionalProperties: false }, { w: 1 }, ['UNKNOWN_ARGUMENT x.w']],
    ['one of some types', { anyOf: [{ type: 'string' }, { type: 'null' }] }, null, []],
    ['none of some types', { anyOf: [{ type: 'string' }, { type: 'null' }] }, 1, ['WRONG_TYPE x']],
    ['the alternative of its type', { anyOf: [{ type: 'string' }, { type: 'object', required: ['y'] }] }, {}, ['MISSING_ARGUMENT x.y']],
    [
      'properties of alternatives',
      { anyOf: [{ properties: { y: {} } }, { properties: { z: {} } }] },
      { y: 1, w: 2 },
      ['UNKNOWN_ARGUMENT x.w'],
    ],
    [
      'all of them',
      { allOf: [{ properties: { y: { type: 'string' } } }, { required: ['z'] }] },
      { y: 1 },
      ['MISSING_ARGUMENT x.z', 'WRONG_TYPE x.y'],
    ],
    ['a schema that is none', 'string', 1, ['unusable']],
  ])('%s', (_name, schema, value, expected) => {
    expect(faults(inside(schema), { x: value }).sort()).toEqual([...expected].sort())
  })

  test('names of the prototype are neither given nor declared by themselves', () => {
    expect(faults({ properties: {}, required: ['toString', '__proto__'] }, {})).toEqual([
      'MISSING_ARGUMENT toString',
      'MISSING_ARGUMENT __proto__',
    ])
    const given = JSON.parse('{"__proto__": 1, "constructor": 2}')
    expect(faults({ properties: {} }, given)).toEqual(['UNKNOWN_ARGUMENT __proto__', 'UNKNOWN_ARGUMENT constructor'])
    expect(faults(JSON.parse('{"properties": {"__proto__": {"type": "string"}}}'), JSON.parse('{"__proto__": 1}'))).toEqual([
      'WRONG_TYPE __proto__',
    ])
  })

  test('follows references inside the schema, and no others', () => {
    const tree = {
      type: 'object',
      properties: { left: { $ref: '#' }, right: { $ref: '#/$defs/leaf~1x' } },
      $defs: { 'leaf/x': { type: 'string' } },
    }
    expect(faults(tree, { left: { left: { right: 1, odd: 2 } } })).toEqual(['WRONG_TYPE left.left.right', 'UNKNOWN_ARGUMENT left.left.odd'])
    for (const $ref of ['http://localhost/x.json', '#/no/where'])
      expect(() => [...argumentFaults(inside({ $ref }), { x: 1 }, cache, budgetFor(10_000))]).toThrow(
        'the schema of a tool cannot be used: the reference',
      )
  })

  test('follows a reference once at each place, and gives up on one to itself', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [`d${at}`, { anyOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] }]),
    )
    expect(faults({ $defs: { ...$defs, d30: { type: 'string' } }, ...inside({ $ref: '#/$defs/d0' }) }, { x: 1 })).toEqual(['WRONG_TYPE x'])
    for (const loop of [{ $ref: '#/$defs/a' }, { allOf: [{ $ref: '#/$defs/a' }] }])
      expect(() => [...argumentFaults({ $ref: '#/$defs/a', $defs: { a: loop } }, {}, cache, budgetFor(10_000))]).toThrow(
        /refers to itself without end/,
      )
  })

  test('what is told stands in the order of the arguments, also where a branch finds it', () => {
    const schema = { properties: { a: { type: 'string' } }, allOf: [{ properties: { b: { type: 'string' } }, required: ['c'] }] }
    expect(faults(schema, { d: 1, b: 1, a: 1 })).toEqual(['MISSING_ARGUMENT c', 'UNKNOWN_ARGUMENT d', 'WRONG_TYPE b', 'WRONG_TYPE a'])
  })

  test('a property that the alternative which holds does not declare is remarked, and makes it no worse', () => {
    const deep = (name: string, required: string[]) => ({ properties: { y: { properties: { [name]: {} }, required } } })
    expect(faults(inside({ anyOf: [deep('a', []), deep('b', ['b'])] }), { x: { y: { z: 1 } } })).toEqual(['UNKNOWN_ARGUMENT x.y.z'])
    expect(faults(inside({ anyOf: [deep('a', []), deep('z', [])] }), { x: { y: { z: 1 } } })).toEqual([])
  })

  test.each<[string, unknown, unknown, string[]]>([
    [
      'a slip',
      { type: 'dict', minimum: '1', properties: { y: 'string', z: { enum: ['a'] } }, required: true },
      { y: 1, z: 'b', w: 2 },
      ['INVALID_ENUM x.z', 'UNKNOWN_ARGUMENT x.w', 'unusable'],
    ],
    ['a slip among types', { type: ['string', 'dict'] }, 1, ['WRONG_TYPE x']],
    ['a slip among alternatives', { oneOf: ['string', { type: 'null' }] }, 1, ['unusable']],
    ['required names that are none', { required: [1, 'y', 'y'] }, {}, ['MISSING_ARGUMENT x.y', 'unusable']],
  ])('of a schema with %s, what makes sense is used, and the rest is no verdict', (_name, schema, value, expected) => {
    expect(faults(inside(schema), { x: value })).toEqual(expected)
  })

  test('of a schema with a part that cannot be used, nothing is told that the part might forgive', () => {
    const pattern = '(?<=a)b'
    const schema = {
      properties: { x: { not: { pattern } }, y: { oneOf: [{ pattern }, {}] }, z: { type: 'string' } },
      if: { properties: { x: { pattern } } },
      else: { required: ['w'] },
    }
    const found: string[] = []
    expect(() => {
      for (const { code, path } of argumentFaults(schema, { x: 'b', y: 'b', z: 1 }, cache, budgetFor(10_000)))
        found.push(`${code} ${path.join('.')}`)
    }).toThrow('the schema of a tool cannot be used')
    expect(found).toEqual(['WRONG_TYPE z'])
  })

  test('agrees with ajv on every schema, but for properties that are merely not declared', () => {
    const json = fc.letrec((tie) => ({
      leaf: fc.constantFrom<unknown>('a', 'b', 1, 1.5, true, null),
      value: fc.oneof(
        { depthSize: 'small' },
        tie('leaf'),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom('x', 'y', 'z'), tie('value'), { maxKeys: 3 }),
      ),
    })).value
    const type = fc.constantFrom('string', 'number', 'integer', 'boolean', 'array', 'object', 'null')
    const schema = fc.letrec<{ schema: Record<string, unknown>; node: Record<string, unknown>; leaf: Record<string, unknown> }>((tie) => ({
      schema: fc.oneof({ maxDepth: 3 }, tie('leaf'), tie('node')),
      leaf: fc.record(
        {
          type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
          enum: fc.constantFrom(['a', 1], [null, true], [['a']], [{ x: 1 }]),
        },
        { requiredKeys: [] },
      ),
      node: fc.record(
        {
          type: fc.constantFrom('object', 'array'),
          properties: fc.dictionary(fc.constantFrom('x', 'y'), tie('schema'), { maxKeys: 2 }),
          required: fc.uniqueArray(fc.constantFrom('x', 'y'), { maxLength: 2 }),
          additionalProperties: fc.oneof(fc.constant(false), tie('schema')),
          items: tie('schema'),
          anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
          allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
          oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
          not: tie('schema'),
        },
        { requiredKeys: [] },
      ),
    })).schema
    const ajv = new Ajv2020({ strict: false, logger: false })
    fc.assert(
      fc.property(schema, json, (given, value) => {
        const whole = { properties: { x: given } }
        const found = [...argumentFaults(whole, { x: value }, cache, budgetFor(10_000))]
        const certain = found.filter(({ finding }) => finding.keyword !== 'undeclaredProperties')
        // A name that is forbidden and not declared is told once, as not declared.
        const told = ajv.validate(whole, { x: value }) ? certain : found
        expect(told.length === 0).toBe(ajv.validate(whole, { x: value }))
      }),
      { numRuns: 150 },
    )
  })
})
