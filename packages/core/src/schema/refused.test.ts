import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { compileSchema } from './compile.ts'
import { Interpreter } from './evaluate/interpreter.ts'
import { SchemaDocument } from './read/document.ts'
import { SchemaError, type SchemaErrorReason } from './schema-error.ts'
import { budgetFor } from './step-budget.ts'

function reasonOf(action: () => unknown): SchemaErrorReason | 'none' {
  try {
    action()
    return 'none'
  } catch (error) {
    if (error instanceof SchemaError) return error.reason
    throw error
  }
}

function write(keyword: string, inner: object): object {
  if (keyword === '$ref') return inner
  if (keyword === 'properties') return { properties: { a: inner } }
  return { [keyword]: keyword.endsWith('Of') ? [inner] : inner }
}

function nested(levels: number): unknown {
  let schema: unknown = {}
  for (let level = 0; level < levels; level++) schema = { not: schema }
  return schema
}

function cyclic(): unknown {
  const schema: Record<string, unknown> = {}
  schema.not = schema
  return schema
}

describe('schemas that are refused', () => {
  test.each<[string, () => unknown, SchemaErrorReason]>([
    ['undefined', () => undefined, 'invalid'],
    ['a number', () => 5, 'invalid'],
    ['a string', () => 'string', 'invalid'],
    ['null', () => null, 'invalid'],
    ['an array', () => [], 'invalid'],
    ['a function', () => () => true, 'invalid'],
    ['a cycle', cyclic, 'invalid'],
    ['an unknown type', () => ({ type: 'strnig' }), 'invalid'],
    ['a wrong keyword', () => ({ properties: { a: { minLength: 'x' } } }), 'invalid'],
    ['an address that is none', () => ({ $ref: 'http://[' }), 'invalid'],
    ['http', () => ({ $ref: 'http://example.com/schema.json' }), 'remote-reference'],
    ['https in a property', () => ({ properties: { a: { $ref: 'https://example.com/a#/b' } } }), 'remote-reference'],
    ['file', () => ({ $ref: 'file:///etc/passwd' }), 'remote-reference'],
    ['a relative address', () => ({ $ref: 'other.json' }), 'remote-reference'],
    ['another draft', () => ({ $ref: 'http://json-schema.org/draft-04/schema#' }), 'remote-reference'],
    ['a pointer to nothing', () => ({ $ref: '#/$defs/a' }), 'unresolved-reference'],
    ['a pointer into prototypes', () => ({ $ref: '#/constructor' }), 'unresolved-reference'],
    ['an anchor that is not there', () => ({ $ref: '#a' }), 'unresolved-reference'],
    ['a reference to itself', () => ({ $ref: '#' }), 'endless-reference'],
    [
      'references in a ring',
      () => ({ $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }),
      'endless-reference',
    ],
    [
      'a ring below a property',
      () => ({ properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { $ref: '#/$defs/a' } } }),
      'endless-reference',
    ],
    ...['allOf', 'anyOf', 'oneOf'].map(
      (keyword) =>
        [keyword, () => ({ [keyword]: [{ type: 'string' }, { $ref: '#' }] }), 'endless-reference'] as [
          string,
          () => unknown,
          SchemaErrorReason,
        ],
    ),
    ['not', () => ({ not: { $ref: '#' } }), 'endless-reference'],
    ['if', () => ({ if: { $ref: '#' } }), 'endless-reference'],
    ['then', () => ({ if: { type: 'object' }, ...JSON.parse('{"then": {"allOf": [{"$ref": "#"}]}}') }), 'endless-reference'],
    ['else', () => ({ if: { type: 'object' }, else: { $ref: '#' } }), 'endless-reference'],
    ['dependentSchemas', () => ({ dependentSchemas: { a: { $ref: '#' } } }), 'endless-reference'],
    [
      'dependencies',
      () => ({ $schema: 'http://json-schema.org/draft-07/schema#', dependencies: { a: { $ref: '#' } } }),
      'endless-reference',
    ],
    ['an anchor', () => ({ $anchor: 'a', allOf: [{ $ref: '#a' }] }), 'endless-reference'],
    ['an address', () => ({ $id: 'https://example.com/a', anyOf: [{ $ref: 'a' }] }), 'endless-reference'],
    ['$dynamicRef', () => ({ $dynamicAnchor: 'a', allOf: [{ $dynamicRef: '#a' }] }), 'endless-reference'],
    [
      '$recursiveRef',
      () => ({ $schema: 'https://json-schema.org/draft/2019-09/schema', $recursiveAnchor: true, allOf: [{ $recursiveRef: '#' }] }),
      'endless-reference',
    ],
    [
      'a ring of 9000',
      () => ({
        $ref: '#/$defs/d0',
        $defs: Object.fromEntries(Array.from({ length: 9000 }, (_, at) => [`d${at}`, { $ref: `#/$defs/d${(at + 1) % 9000}` }])),
      }),
      'endless-reference',
    ],
    ['a back-reference', () => ({ pattern: '(a)\\1' }), 'pattern'],
    ['look-behind', () => ({ patternProperties: { '(?<=a)b': true } }), 'pattern'],
    ['10 MB', () => ({ description: 'x'.repeat(10_000_000) }), 'too-large'],
    ['300 levels', () => nested(300), 'too-large'],
    ['20 001 objects', () => ({ anyOf: Array.from({ length: 20_000 }, () => ({})) }), 'too-large'],
    ['patterns without end', () => ({ anyOf: Array.from({ length: 100 }, (_, index) => ({ pattern: `${index}.{900}` })) }), 'too-large'],
  ])('%s', (_, schema, reason) => expect(reasonOf(() => compileSchema(schema()))).toBe(reason))
  it.each<[string, unknown, unknown, unknown]>([
    ['a tree', { required: ['n'], properties: { a: { $ref: '#' }, b: { items: { $ref: '#' } } } }, { n: 1, a: { n: 1 } }, { n: 1, a: {} }],
    ['a tree behind alternatives', { anyOf: [{ type: 'null' }, { type: 'array', items: { $ref: '#' } }] }, [null, [null]], [1]],
    [
      'a ring through an item',
      { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { type: 'array', prefixItems: [{ $ref: '#/$defs/a' }] } } },
      [[]],
      [1],
    ],
    [
      'the same schema twice',
      { allOf: [{ $ref: '#/$defs/s' }, { anyOf: [{ $ref: '#/$defs/s' }] }], $defs: { s: { type: 'string' } } },
      'x',
      1,
    ],
    ['a then without if', JSON.parse('{"then": {"$ref": "#"}, "type": "string"}'), 'x', 1],
    ['a reference that is a value', { const: { $ref: '#' }, type: 'object' }, { $ref: '#' }, {}],
    [
      'what draft 7 ignores beside a reference',
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        $ref: '#/definitions/s',
        allOf: [{ $ref: '#' }],
        definitions: { s: { type: 'string' } },
      },
      'x',
      1,
    ],
    [
      'an extended tree',
      {
        $id: 'https://e.com/t',
        $dynamicAnchor: 'n',
        $ref: 'base',
        required: ['v'],
        $defs: { base: { $id: 'base', $dynamicAnchor: 'n', properties: { c: { items: { $dynamicRef: '#n' } } } } },
      },
      { v: 1, c: [{ v: 1 }] },
      { v: 1, c: [{}] },
    ],
    ['the schema of schemas', { $ref: 'https://json-schema.org/draft/2020-12/schema' }, { not: {} }, { not: 1 }],
  ])('but not %s', (_, schema, good, bad) => {
    const { validate } = compileSchema(schema)
    expect(validate(good)).toEqual([])
    expect(validate(bad)).not.toEqual([])
  })
  it('as checking shows: what is refused never ends, what is taken does', () => {
    const keyword = fc.constantFrom('allOf', 'anyOf', 'oneOf', 'not', 'if', 'properties', 'items', '$ref')
    const make = (kinds: string[], to: number[]): object => ({
      $ref: '#/$defs/d0',
      $defs: Object.fromEntries(kinds.map((kind, at) => [`d${at}`, write(kind, { $ref: `#/$defs/d${(to[at] ?? 0) % kinds.length}` })])),
    })
    fc.assert(
      fc.property(fc.array(keyword, { minLength: 1, maxLength: 5 }), fc.array(fc.nat(9), { minLength: 5, maxLength: 5 }), (kinds, to) => {
        const schema = make(kinds, to)
        const ends = reasonOf(() =>
          new Interpreter(new SchemaDocument(schema as never, '2020-12')).accepts(
            new SchemaDocument(schema as never, '2020-12').root,
            { a: [{}] },
            budgetFor(1000),
          ),
        )
        const refused = reasonOf(() => compileSchema(schema)) === 'endless-reference'
        // A ring that the root does not lead to is refused too.
        if (ends === 'too-costly') expect(refused).toBe(true)
        if (!refused) expect(ends).toBe('none')
      }),
    )
  })
  it('100 000 levels', () => expect(reasonOf(() => compileSchema(nested(100_000)))).toMatch(/invalid|too-large/))
  it('says what is wrong', () => {
    expect(() => compileSchema({ type: 'strnig' })).toThrow(
      /^the schema is invalid: Set type to "array", .* or "string"; it is the string "strnig"\./,
    )
    expect(() => compileSchema({ $ref: 'https://example.com/a' })).toThrow(/references are never fetched/)
  })
  it('never reads prototypes of a schema', () => {
    const schema: unknown = JSON.parse('{"properties": {"__proto__": {"type": "number"}, "constructor": {"type": "number"}}}')
    const { validate } = compileSchema(schema)
    expect(validate({})).toEqual([])
    expect(validate(JSON.parse('{"__proto__": "x"}'))[0]?.path).toEqual(['__proto__'])
    expect(compileSchema({ required: ['toString'] }).validate({})).toHaveLength(1)
    expect(compileSchema({ additionalProperties: false }).validate(JSON.parse('{"__proto__": 1}'))).toHaveLength(1)
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })
})

describe('checks that would cost too much', () => {
  const doubling = {
    $defs: Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [`d${at}`, { allOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] }]),
    ),
  }
  it('follows equal references once', () => {
    const schema = { ...doubling, $ref: '#/$defs/d0', $defs: { ...doubling.$defs, d60: { type: 'object' } } }
    expect(compileSchema(schema).validate({})).toEqual([])
    expect(compileSchema(schema).validate([])).not.toEqual([])
  })
  test.each(['anyOf', 'allOf', 'oneOf'])('follows 200 doubled references under %s, to a verdict and to an explanation', (keyword) => {
    const refs = (at: number): object[] => [{ $ref: `#/$defs/d${at}` }, { $ref: `#/$defs/d${at}` }]
    const $defs: Record<string, unknown> = { d200: { type: 'string' } }
    for (let at = 0; at < 200; at++) $defs[`d${at}`] = { [keyword]: refs(at + 1) }
    const { validate } = compileSchema({ $ref: '#/$defs/d0', $defs })
    // Exactly one of two equal alternatives is a contradiction.
    expect(validate('x').length).toBe(keyword === 'oneOf' ? 1 : 0)
    for (const value of [{ a: 1 }, 1]) expect(validate(value)[0]?.message).toContain('Make the value a string')
  })
  test.each([
    ['all of them', { additionalProperties: true }],
    ['none of them', { properties: { b: true } }],
  ])('looks for unevaluated properties behind 200 schemas that look at %s', (_, inner) => {
    const value = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`k${at}`, at]))
    const { validate } = compileSchema({ allOf: Array.from({ length: 200 }, () => inner), unevaluatedProperties: false })
    expect(validate(value)).toHaveLength('properties' in inner ? 100 : 0)
  })
  it('walks a tree with alternatives in linear time', () => {
    const schema = { properties: { a: { anyOf: [{ $ref: '#' }, { $ref: '#' }, { $ref: '#' }] } }, required: ['n'] }
    const { validate } = compileSchema(schema)
    let value: unknown = {}
    for (let level = 0; level < 60; level++) value = { n: 1, a: value }
    expect(validate(value)).not.toEqual([])
  })
  it('takes 12 nested combinators', () => {
    let schema: unknown = { type: 'string' }
    for (let level = 0; level < 12; level++) schema = { anyOf: [schema, { allOf: [schema, { minLength: level }] }] }
    const compiled = compileSchema(schema)
    expect(compiled.validate('x')).toEqual([])
    expect(compiled.validate(1)).not.toEqual([])
  })
  test.each<[string, unknown, () => unknown]>([
    ['a tree of 100 000 levels', { items: { $ref: '#' } }, () => JSON.parse('['.repeat(100_000) + ']'.repeat(100_000))],
    ['deep values that must differ', { uniqueItems: true }, () => [JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)), 1]],
    ['a long text and a large pattern', { pattern: '^(?:a?){900}a{900}$' }, () => 'a'.repeat(2_000_000)],
  ])('refuses %s', (_, schema, value) => expect(reasonOf(() => compileSchema(schema).validate(value()))).toBe('too-costly'))
  it('compares deep values with shallow ones', () => {
    const deep: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000))
    expect(compileSchema({ enum: [[], 1] }).validate(deep)).toHaveLength(1)
  })
  it('finds duplicates among 50 000 objects', () => {
    const items = Array.from({ length: 50_000 }, (_, id) => ({ id }))
    expect(compileSchema({ uniqueItems: true }).validate(items)).toEqual([])
  })
  test.each(['^(a|a)*$', '(a+)+$', '^(.*a){20}$'])('the pattern %s cannot freeze the process', (pattern) => {
    expect(compileSchema({ pattern }).validate(`${'a'.repeat(50_000)}!`)).toHaveLength(1)
    expect(compileSchema({ patternProperties: { [pattern]: false } }).validate({ [`${'a'.repeat(50_000)}!`]: 1 })).toEqual([])
  })
})
