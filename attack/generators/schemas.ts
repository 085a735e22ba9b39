import fc from 'fast-check'

const names = fc.constantFrom('a', 'user_name', 'userName', 'location', 'locaton', '__proto__', 'value')

/** JSON Schemas as tools and answers have them. */
export const { schema: schemas } = fc.letrec<{ schema: unknown }>((tie) => {
  const inner = tie('schema')
  return {
    schema: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom<unknown>(
        { type: 'string' },
        { type: 'integer' },
        { type: 'boolean' },
        { type: ['number', 'null'] },
        { enum: ['celsius', 'Kelvin', 1] },
        { type: 'string', default: 'x' },
        { const: 7 },
        {},
      ),
      fc.record({ type: fc.constant('array'), items: inner }, { noNullPrototype: true }),
      objectSchemas(inner),
      fc.record({ anyOf: fc.array(inner, { minLength: 1, maxLength: 3 }) }, { noNullPrototype: true }),
      fc.record({ allOf: fc.array(inner, { minLength: 1, maxLength: 2 }) }, { noNullPrototype: true }),
    ),
  }
})

/** Schemas of objects, as parameters of tools are. */
export function objectSchemas(inner: fc.Arbitrary<unknown> = schemas): fc.Arbitrary<object> {
  return fc.record(
    {
      type: fc.constant('object'),
      properties: fc
        .uniqueArray(fc.tuple(names, inner), { selector: ([name]) => name, maxLength: 3 })
        .map((entries) => Object.fromEntries(entries)),
      required: fc.uniqueArray(names, { maxLength: 2 }),
      additionalProperties: fc.constantFrom(true, false),
    },
    { requiredKeys: ['type'], noNullPrototype: true },
  )
}

/** Values that such schemas nearly want. */
export const { value: schemaValues } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(
      ...['x', '5', 'true', 'no', 'Celsius', 'kelvn', 'null', '[1]', '{"a": "1"}', '"x"', 0, 1, 7, 2.5, true, null, '[a, b]'],
    ),
    fc.array(tie('value'), { maxLength: 3 }),
    objectsOf(tie('value')),
  ),
}))

/** Objects with names that such schemas nearly have. */
export function objectsOf(values: fc.Arbitrary<unknown> = schemaValues): fc.Arbitrary<object> {
  return fc.uniqueArray(fc.tuple(names, values), { selector: ([name]) => name, maxLength: 3 }).map((entries) => Object.fromEntries(entries))
}
