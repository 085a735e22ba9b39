import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { setOwn } from '../json/json-value.ts'
import { createSchemaCache } from './cache.ts'
import { compileSchema } from './compile.ts'
import { compilePattern } from './patterns/pattern.ts'
import { isEndless } from './read/endless.ts'
import { budgetFor } from './step-budget.ts'

/** Keys that are something else to JavaScript than to JSON, beside ordinary ones. */
const hostileKeys = [
  '',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'length',
  '0',
  '1',
  '-1',
  '01',
  'a',
  'ab',
  'é',
  '\ud800',
  '🐉',
]
const numbers = [
  ...[0, -0, 1, -1, 0.1, 0.3, 1.5, 3, 1e308, 1e-320, 2 ** 53, 2 ** 53 + 2],
  ...['1e400', '-1e400', '12345678901234567890'].map(Number),
]
const key = fc.constantFrom(...hostileKeys)
const keys = fc.uniqueArray(key, { maxLength: 3 })
const scalar = fc.oneof(
  fc.constantFrom<unknown>(...hostileKeys, ...numbers, true, false, null),
  fc.string({ maxLength: 3, unit: 'binary' }),
)

/** Objects as `JSON.parse` makes them: `__proto__` is a key like any other. */
function objectOf<Value>(values: fc.Arbitrary<Value>, names: fc.Arbitrary<string> = key): fc.Arbitrary<Record<string, Value>> {
  return fc.array(fc.tuple(names, values), { maxLength: 3 }).map((entries) => {
    const object: Record<string, Value> = {}
    for (const [name, value] of entries) setOwn(object, name, value)
    return object
  })
}

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, scalar, fc.array(tie('value'), { maxLength: 3 }), objectOf(tie('value'))),
}))

const size = fc.integer({ min: 0, max: 3 })
const limit = fc.constantFrom(...numbers.filter(Number.isFinite))
const types = fc.constantFrom('string', 'number', 'integer', 'object', 'array', 'boolean', 'null')
const pattern = fc.constantFrom('^a', 'b$', '^.$', '\\d', '^$', '_', '^\\S+$')
const { schema } = fc.letrec<{ schema: unknown }>((tie) => {
  const inner = tie('schema')
  const some = fc.array(inner, { minLength: 1, maxLength: 3 })
  const keywords: Record<string, fc.Arbitrary<unknown>> = {
    type: fc.oneof(types, fc.uniqueArray(types, { minLength: 1, maxLength: 3 })),
    enum: fc.array(value, { minLength: 1, maxLength: 3 }),
    const: value,
    minimum: limit,
    maximum: limit,
    exclusiveMinimum: limit,
    exclusiveMaximum: limit,
    multipleOf: fc.constantFrom(0.1, 0.5, 1, 3, 1e-320, 1e300),
    minLength: size,
    maxLength: size,
    pattern,
    minItems: size,
    maxItems: size,
    uniqueItems: fc.boolean(),
    minProperties: size,
    maxProperties: size,
    required: keys,
    dependentRequired: objectOf(keys),
    dependentSchemas: objectOf(inner),
    properties: objectOf(inner),
    patternProperties: objectOf(inner, pattern),
    additionalProperties: inner,
    unevaluatedProperties: inner,
    propertyNames: inner,
    items: inner,
    prefixItems: some,
    unevaluatedItems: inner,
    contains: inner,
    minContains: size,
    maxContains: size,
    allOf: some,
    anyOf: some,
    oneOf: some,
    not: inner,
    if: inner,
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: inner,
    else: inner,
    $ref: fc.constantFrom('#/$defs/a', '#/$defs/b'),
  }
  const entry = fc.oneof(...Object.entries(keywords).map(([name, held]) => held.map((one) => [name, one] as const)))
  return {
    schema: fc.oneof(
      { maxDepth: 3 },
      fc.boolean(),
      fc.array(entry, { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
    ),
  }
})
const wholeSchema = fc
  .tuple(schema, schema, schema)
  .map(([whole, a, b]) => ({ ...(whole === false ? { not: {} } : whole === true ? {} : (whole as object)), $defs: { a, b } }))
  .filter((rules) => !isEndless(rules))
const values = fc.array(value, { minLength: 1, maxLength: 5 })
const numRuns = 100

/** A verdict, or that none is reached because it costs too much. */
function verdict(judge: () => boolean): boolean | 'none' {
  try {
    return judge()
  } catch {
    return 'none'
  }
}

test('a verdict is the same whether it is explained or not', () => {
  const cache = createSchemaCache(1)
  fc.assert(
    fc.property(wholeSchema, values, (rules, all) => {
      const { interpreter } = cache.compile(rules)
      for (const one of all) {
        const plain = verdict(() => interpreter.accepts(interpreter.root, one, budgetFor(0)))
        const explained = verdict(() => interpreter.findings(interpreter.root, one, budgetFor(0)).length === 0)
        // With its larger view an explanation may be too dear where a verdict is not.
        if (explained !== 'none') expect([one, explained]).toEqual([one, plain])
      }
    }),
    { numRuns },
  )
})

/** What ajv reads otherwise than the specification; the official suites and the table below say what is right. */
const oddInAjv = new Set([
  'contains',
  'dependentSchemas',
  'maxContains',
  'minContains',
  'multipleOf',
  'unevaluatedItems',
  'unevaluatedProperties',
  'uniqueItems',
])

/** The same schema without what ajv reads otherwise. */
function forAjv(rules: unknown): unknown {
  if (typeof rules !== 'object' || rules === null) return rules
  if (Array.isArray(rules)) return rules.map(forAjv)
  return Object.fromEntries(
    Object.entries(rules).flatMap(([name, inner]) =>
      oddInAjv.has(name) ? [] : [[name, name === 'const' || name === 'enum' ? inner : forAjv(inner)]],
    ),
  )
}

/** Keys and values that ajv mistakes for what JavaScript's objects inherit, or for nothing at all. */
const mistaken = /"(?:__proto__|constructor|toString|hasOwnProperty|\\ud800|)"/

// ajv wants a RegExp; only `test` is ever called.
const regExp = Object.assign((source: string) => ({ ...compilePattern(source), toString: () => source }), { code: 'undefined' })

/** The verdicts of ajv; undefined for a schema that it cannot compile, such as one that refers to itself at once. */
function acceptedByAjv(text: string): ((value: unknown) => boolean) | undefined {
  const options = { strict: false, validateFormats: false, validateSchema: false, ownProperties: true, logger: false } as const
  try {
    const accepts = new Ajv2020({ ...options, code: { regExp: regExp as never } }).compile(JSON.parse(text))
    return (one) => accepts(one) === true
  } catch {
    return undefined
  }
}

test('ajv reaches the same verdicts', () => {
  const cache = createSchemaCache(1)
  fc.assert(
    fc.property(wholeSchema, values, (rules, all) => {
      const plain = forAjv(rules)
      const text = JSON.stringify(plain)
      const accepts = mistaken.test(text) ? undefined : acceptedByAjv(text)
      if (!accepts) return
      const { interpreter } = cache.compile(plain)
      // ajv takes a number out of range for an integer; as JSON it is null.
      for (const written of all.map((one) => JSON.stringify(one)).filter((json) => !mistaken.test(json))) {
        const one: unknown = JSON.parse(written)
        const ours = verdict(() => interpreter.accepts(interpreter.root, one, budgetFor(0)))
        const theirs = verdict(() => accepts(one))
        if (ours !== 'none' && theirs !== 'none') expect([one, ours]).toEqual([one, theirs])
      }
    }),
    { numRuns: numRuns * 2 },
  )
})

test.each<[schema: unknown, value: string, valid: boolean]>([
  [{ required: [''] }, '{}', false],
  [{ required: [''] }, '{"": 1}', true],
  [{ enum: [{ a: 1 }] }, '{"toString": 1}', false],
  [{ enum: [{ a: 1 }, { toString: 1 }] }, '{"toString": 1}', true],
  [{ const: JSON.parse('{"__proto__": 1}') }, '{}', false],
  [{ const: {} }, '{"__proto__": 1}', false],
  [{ properties: JSON.parse('{"__proto__": {"type": "string"}}') }, '{"__proto__": 1}', false],
  [{ properties: { '': { type: 'string' } } }, '{"": 1}', false],
  [{ required: ['toString', 'constructor'] }, '{}', false],
  [{ dependentRequired: { toString: ['a'] } }, '{}', true],
  [{ dependentSchemas: { constructor: false } }, '{}', true],
  [{ properties: { length: { const: 1 } } }, '[1]', true],
  [{ required: ['length'] }, '[1]', true],
  [{ type: 'integer' }, '1e400', false],
  [{ const: 0 }, '-0', true],
  [{ enum: [-0] }, '0', true],
  [{ uniqueItems: true }, '[0, -0]', false],
  [{ type: 'integer' }, '1.0', true],
])('the verdict of %j on %s is %s at the first check and at the thousandth', (rules, text, valid) => {
  const { validate } = compileSchema(rules)
  for (let round = 0; round < 1000; round++) expect(validate(JSON.parse(text)).length === 0).toBe(valid)
})
