import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { createSchemaCache } from './cache.ts'
import { compileSchema } from './compile.ts'
import { generate, mayGenerateCode } from './generated.ts'

const scalar = fc.oneof(
  fc.constantFrom('a', 'b', 'ab', '', '1'),
  fc.integer({ min: -2, max: 4 }),
  fc.constantFrom(0.5, 1.5),
  fc.boolean(),
  fc.constant(null),
)
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'ab', 'constructor'), tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
}))

const size = fc.integer({ min: 0, max: 3 })
const keys = fc.uniqueArray(fc.constantFrom('a', 'b', 'constructor'), { maxLength: 2 })
const { schema } = fc.letrec<{ schema: unknown }>((tie) => {
  const inner = tie('schema')
  const some = fc.array(inner, { minLength: 1, maxLength: 2 })
  return {
    schema: fc.oneof(
      { maxDepth: 2 },
      fc.boolean(),
      fc.record(
        {
          type: fc.constantFrom('string', 'number', 'integer', 'object', 'array', 'boolean', 'null', ['string', 'null']),
          enum: fc.array(scalar, { minLength: 1, maxLength: 3 }),
          const: value,
          minimum: size,
          exclusiveMaximum: size,
          minLength: size,
          maxLength: size,
          pattern: fc.constantFrom('^a', 'b$', '^.$', '\\d'),
          minItems: size,
          maxItems: size,
          minProperties: size,
          required: keys,
          dependentRequired: fc.dictionary(fc.constantFrom('a', 'b'), keys, { noNullPrototype: true }),
          properties: fc.dictionary(fc.constantFrom('a', 'b', 'constructor'), inner, { noNullPrototype: true }),
          patternProperties: fc.dictionary(fc.constantFrom('^a', 'b'), inner, { noNullPrototype: true }),
          additionalProperties: inner,
          propertyNames: inner,
          items: inner,
          prefixItems: some,
          allOf: some,
          anyOf: some,
          oneOf: some,
          not: inner,
          if: inner,
          // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
          then: inner,
          else: inner,
        },
        { requiredKeys: [], noNullPrototype: true },
      ),
    ),
  }
})

it('agrees with the interpreter', () => {
  const cache = createSchemaCache(1)
  fc.assert(
    fc.property(schema, fc.array(value, { minLength: 1, maxLength: 5 }), (rules, values) => {
      const compiled = cache.compile(rules)
      const accepts = compiled.generated ? generate(JSON.parse(JSON.stringify(rules)), '2020-12') : undefined
      for (const one of values) {
        const problems = compiled.validate(one)
        if (accepts) expect([one, problems.length === 0]).toEqual([one, accepts(one)])
      }
    }),
    { numRuns: 100 },
  )
})

it('is not needed where code may not be generated', () => {
  vi.stubGlobal('Function', () => {
    throw new EvalError('Code generation from strings disallowed for this context')
  })
  expect(mayGenerateCode()).toBe(false)
  const compiled = compileSchema({ type: 'string' })
  vi.unstubAllGlobals()
  expect(compiled.generated).toBe(false)
  for (let round = 0; round < 300; round++) expect(compiled.validate(1)).toHaveLength(1)
})

it('says undefined to what it cannot compile', () => expect(generate({ type: 'nonsense' }, '7')).toBeUndefined())
