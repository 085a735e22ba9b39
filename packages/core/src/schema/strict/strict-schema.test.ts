import { transformJSONSchema } from '@anthropic-ai/sdk/lib/transform-json-schema'
import fc from 'fast-check'
import { toStrictJsonSchema } from 'openai/lib/transform'
import { describe, expect, it, test } from 'vitest'
import * as z from 'zod'
import type { JsonObject, JsonValue } from '../../json/json-value.ts'
import { compileSchema } from '../compile.ts'
import { jsonSchemaOf } from '../standard-json.ts'
import { anthropicStrict, openAiStrict, strictSchema } from './strict-schema.ts'

const object = (properties: JsonObject, required: readonly string[] = Object.keys(properties), more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  required,
  ...more,
})
const text = { type: 'string' }

/** What OpenAI's guide says about schemas in strict mode, read anew and not from the code; the complaints about a schema. */
function brokenRules(root: JsonObject): string[] {
  const complaints: string[] = []
  const allowed: Readonly<Record<string, readonly string[]>> = {
    object: ['properties', 'required', 'additionalProperties'],
    array: ['items', 'minItems', 'maxItems'],
    string: ['format', 'pattern'],
    number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
    integer: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
    boolean: [],
    null: [],
  }
  const visit = (schema: unknown, path: string): void => {
    if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) {
      complaints.push(`${path}: no object`)
      return
    }
    const node = schema as Record<string, unknown>
    const keys = Object.keys(node).filter((key) => !['title', 'description', '$defs'].includes(key))
    if (path !== '#' && '$defs' in node) complaints.push(`${path}: definitions inside`)
    for (const [name, one] of Object.entries((node.$defs ?? {}) as object)) visit(one, `${path}/$defs/${name}`)
    if ('$ref' in node) {
      if (Object.keys(node).length > 1) complaints.push(`${path}: something beside a reference`)
      const target = String(node.$ref)
      const defined = Object.keys((root.$defs ?? {}) as object)
      if (target !== '#' && !defined.some((name) => target === `#/$defs/${name}`)) complaints.push(`${path}: nothing at ${target}`)
    } else if ('anyOf' in node) {
      if (keys.length > 1) complaints.push(`${path}: something beside a union`)
      for (const [at, one] of (node.anyOf as unknown[]).entries()) visit(one, `${path}/anyOf/${at}`)
    } else if ('enum' in node) {
      if (keys.some((key) => key !== 'enum' && key !== 'type') || !('type' in node)) complaints.push(`${path}: a list with ${keys}`)
      if ((node.enum as unknown[]).some((one) => typeof one === 'object' && one !== null)) complaints.push(`${path}: objects in a list`)
    } else {
      const type = String(node.type)
      const known = allowed[type]
      if (known === undefined) complaints.push(`${path}: type ${type}`)
      for (const key of keys) if (key !== 'type' && !known?.includes(key)) complaints.push(`${path}: ${key} of ${type}`)
      if (type === 'object') {
        const names = Object.keys(node.properties as object)
        if (node.additionalProperties !== false) complaints.push(`${path}: open`)
        if ([...names].sort().join() !== [...(node.required as string[])].sort().join()) complaints.push(`${path}: not all required`)
        for (const name of names) visit((node.properties as Record<string, unknown>)[name], `${path}/${name}`)
      }
      if (type === 'array') visit(node.items, `${path}/items`)
    }
  }
  if (root.type !== 'object' || 'anyOf' in root) complaints.push('the root is not an object')
  visit(root, '#')
  return complaints
}

/** A schema, a value that matches it with all properties, and whether all that it says can be enforced. */
interface Pair {
  readonly schema: JsonObject
  readonly value: JsonValue
}
const names = fc.constantFrom('a', 'b', 'ab', 'é', '__proto__', 'type', 'properties', '$ref', '0')
const remarks = fc.record(
  {
    description: fc.constantFrom('A remark.', ''),
    title: fc.constant('T'),
    default: fc.constant(1),
    'x-own': fc.constant({ type: 1 }),
    deprecated: fc.constant(true),
  },
  { requiredKeys: [] },
)
const scalars: readonly fc.Arbitrary<Pair>[] = [
  fc
    .record({ minLength: fc.constant(0), maxLength: fc.constant(9), pattern: fc.constant('^[a-z]*$') }, { requiredKeys: [] })
    .map((more) => ({ schema: { type: 'string', ...more }, value: 'ok' })),
  fc
    .constantFrom('date', 'uri', 'own')
    .map((format) => ({ schema: { type: 'string', format }, value: format === 'date' ? '2026-01-02' : 'https://a.b' })),
  fc
    .record({ minimum: fc.constant(0), exclusiveMaximum: fc.constant(9), multipleOf: fc.constant(1) }, { requiredKeys: [] })
    .map((more) => ({ schema: { type: 'integer', ...more }, value: 3 })),
  fc.constant({ schema: { type: ['number', 'integer'] }, value: 1.5 }),
  fc.constantFrom<Pair>(
    { schema: { type: ['string', 'null'], minLength: 1 }, value: null },
    { schema: { type: 'boolean' }, value: true },
    { schema: { type: 'null' }, value: null },
    { schema: { const: 'x' }, value: 'x' },
    { schema: { enum: ['a', 1, null, 1.5] }, value: 1 },
    { schema: { type: 'string', enum: ['a', null] }, value: 'a' },
    { schema: { enum: [{ a: 1 }, 'b'] }, value: 'b' },
    { schema: {}, value: 3 },
    { schema: { $ref: '#/$defs/word' }, value: 'w' },
    { schema: { $ref: '#/definitions/flag', description: 'Told.' }, value: false },
    { schema: { $ref: '#/$defs/tree' }, value: { next: { next: null } } },
    { schema: { type: 'object', additionalProperties: { type: 'number' } }, value: { z: 1 } },
    { schema: { type: 'string', not: { const: 'no' } }, value: 'yes' },
  ),
]
const pairs = fc.letrec<{ pair: Pair; object: Pair }>((tie) => ({
  pair: fc
    .tuple(fc.oneof({ maxDepth: 3 }, ...scalars, tie('object'), inner(tie('pair'))), remarks)
    .map(([pair, more]) => ({ ...pair, schema: { ...more, ...pair.schema } as JsonObject })),
  object: fc
    .record({
      members: fc.uniqueArray(fc.tuple(names, tie('pair'), fc.boolean()), { maxLength: 4, selector: ([name]) => name }),
      more: fc.constantFrom<JsonObject>(
        {},
        {},
        { additionalProperties: false },
        { additionalProperties: true },
        { maxProperties: 9 },
        { allOf: [{ minProperties: 0 }] },
      ),
    })
    .map(({ members, more }) => ({
      schema: {
        type: 'object',
        properties: Object.fromEntries(members.map(([name, { schema }]) => [name, schema])),
        required: members.filter(([, , required]) => required).map(([name]) => name),
        ...more,
      },
      value: Object.fromEntries(members.map(([name, { value }]) => [name, value])),
    })),
}))
function inner(pair: fc.Arbitrary<Pair>): fc.Arbitrary<Pair> {
  return fc.oneof(
    fc
      .record({ pair, more: fc.constantFrom<JsonObject>({}, { minItems: 1 }, { maxItems: 5, uniqueItems: true }, { contains: {} }) })
      .map(({ pair: { schema, value }, more }) => ({ schema: { type: 'array', items: schema, ...more }, value: [value] })),
    fc
      .record({ one: pair, other: pair, keyword: fc.constantFrom('anyOf', 'oneOf') })
      .map(({ one, other, keyword }) => ({ schema: { [keyword]: [one.schema, other.schema] }, value: one.value })),
  )
}
const definitions = {
  $defs: {
    word: { type: 'string', maxLength: 9 },
    tree: object({ next: { anyOf: [{ $ref: '#/$defs/tree' }, { type: 'null' }] } }),
    unused: { allOf: [{}] },
  },
  definitions: { flag: { type: 'boolean' } },
}
const roots = pairs.object.map(({ schema, value }) => ({
  schema: { $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema, ...definitions } as JsonObject,
  value,
}))

const accepts = (schema: JsonObject, value: unknown): boolean => compileSchema(schema).validate(value).length === 0
/** Without the remarks, in which limits are told. */
const bare = (schema: unknown): unknown =>
  JSON.parse(JSON.stringify(schema, (key, value) => (key === 'description' || key === 'title' ? undefined : value)))

describe('any schema', () => {
  test.each([
    ['openai', openAiStrict],
    ['anthropic', anthropicStrict],
  ] as const)('%s: accepts every complete value that the schema accepts', (_name, dialect) => {
    let sent = 0
    fc.assert(
      fc.property(roots, ({ schema, value }) => {
        const strict = strictSchema(schema, dialect)
        if (strict === undefined || !accepts(schema, value)) return
        sent++
        expect(compileSchema(strict).validate(value)).toEqual([])
      }),
      { numRuns: 400 },
    )
    expect(sent).toBeGreaterThan(20)
  })

  test("keeps OpenAI's rules, and its own SDK would change nothing", () => {
    fc.assert(
      fc.property(roots, ({ schema }) => {
        const strict = strictSchema(schema, openAiStrict)
        if (strict === undefined) return
        expect(brokenRules(strict)).toEqual([])
        expect(bare(toStrictJsonSchema(strict as Parameters<typeof toStrictJsonSchema>[0]))).toEqual(bare(strict))
      }),
      { numRuns: 400 },
    )
  })

  test("leaves Anthropic's own SDK nothing to take out", () => {
    const untyped = (schema: unknown): unknown =>
      JSON.parse(
        JSON.stringify(schema, (_key, value) =>
          value !== null && typeof value === 'object' && 'enum' in value ? { enum: value.enum } : value,
        ),
      )
    fc.assert(
      fc.property(roots, ({ schema }) => {
        const strict = strictSchema(schema, anthropicStrict)
        if (strict === undefined) return
        // It writes limits into descriptions too, so none may be added.
        expect(untyped(transformJSONSchema(strict as Parameters<typeof transformJSONSchema>[0]))).toEqual(untyped(strict))
      }),
      { numRuns: 400 },
    )
  })

  test('accepts no more than the schema, but for limits that are told in words', () => {
    const values = fc.letrec<{ value: JsonValue }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom<JsonValue>('a', 'ok', 1, 1.5, null, true, 'x', '2026-01-02'),
        fc.array(tie('value'), { maxLength: 2 }),
        fc.dictionary(names, tie('value'), { maxKeys: 4 }),
      ),
    }))
    let accepted = 0
    fc.assert(
      fc.property(roots, names, values.value, ({ schema, value }, name, other) => {
        for (const dialect of [openAiStrict, anthropicStrict]) {
          const strict = strictSchema(schema, dialect)
          if (strict === undefined || /\{\w+: /.test(JSON.stringify(strict)) || JSON.stringify(schema).includes('"oneOf"')) continue
          for (const one of [value, other, { ...(value as JsonObject), [name]: other }]) {
            if (!accepts(strict, one)) continue
            accepted++
            expect(compileSchema(schema).validate(one)).toEqual([])
          }
        }
      }),
      { numRuns: 600 },
    )
    expect(accepted).toBeGreaterThan(50)
  })
})

describe('one schema', () => {
  const cases: readonly (readonly [string, JsonObject, JsonObject | undefined])[] = [
    ['is closed where it is silent', object({ a: text }), object({ a: text }, ['a'], { additionalProperties: false })],
    ['stays open where it says so', object({ a: text }, ['a'], { additionalProperties: true }), undefined],
    ['has no place for a map', { type: 'object', additionalProperties: text }, undefined],
    ['does not make null of what may be absent', object({ a: text, b: text }, ['a']), undefined],
    [
      'requires what may be null',
      object({ a: text, b: { enum: ['x', null] } }, ['a']),
      object({ a: text, b: { type: ['string', 'null'], enum: ['x', null] } }, ['a', 'b'], { additionalProperties: false }),
    ],
    ['has an object at its root', { type: 'array', items: text }, undefined],
    ['has no union at its root', { anyOf: [object({ a: text })] }, undefined],
    [
      'says what it cannot enforce',
      object({ a: { type: 'string', description: 'A name.', minLength: 2, pattern: '^a"' } }),
      object({ a: { description: 'A name.\n{minLength: 2, pattern: "^a\\""}', type: 'string' } }, ['a'], { additionalProperties: false }),
    ],
    [
      'keeps limits of numbers',
      object({ a: { type: 'integer', minimum: 1, maximum: 5 } }),
      object({ a: { type: 'integer', minimum: 1, maximum: 5 } }, ['a'], { additionalProperties: false }),
    ],
    ['cannot refer elsewhere', object({ a: { $ref: '#/properties/b' }, b: text }), undefined],
    ['cannot combine closed objects', object({ a: { allOf: [object({ x: text }), object({ y: text })] } }), undefined],
    ['has a limit of depth', Array.from({ length: 12 }).reduce<JsonObject>((held) => object({ a: held }), text), undefined],
    ['has a limit of values', object({ a: { enum: Array.from({ length: 1001 }, (_, at) => at) } }), undefined],
  ]
  it.each(cases)('%s', (_name, schema, expected) => expect(strictSchema(schema, openAiStrict)).toEqual(expected))

  it('may leave properties out where the provider allows that', () => {
    const schema = object({ a: text, b: { type: 'number', minimum: 1 } }, ['a'])
    const b = { description: '{minimum: 1}', type: 'number' }
    expect(strictSchema(schema, anthropicStrict)).toEqual(object({ a: text, b }, ['a'], { additionalProperties: false }))
  })

  it('refers to itself only where the provider allows that', () => {
    const tree = object({ next: { anyOf: [{ $ref: '#' }, { type: 'null' }] } })
    expect(strictSchema(tree, openAiStrict)).toEqual({ ...tree, additionalProperties: false })
    expect(strictSchema(tree, anthropicStrict)).toBeUndefined()
  })

  it('of a library is sent as strictly as one of JSON', () => {
    const Ticket = z.object({
      title: z.string().max(80),
      priority: z.enum(['low', 'high']),
      hours: z.number().min(0),
      note: z.string().nullish(),
    })
    const strict = strictSchema(jsonSchemaOf(Ticket) ?? {}, openAiStrict)
    expect(strict?.required).toEqual(['title', 'priority', 'hours', 'note'])
    expect(strict && brokenRules(strict)).toEqual([])
  })
})
