import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import * as zMini from 'zod/mini'
import { contract } from '../../catalogue.ts'
import { check } from '../../engine/check/check.ts'
import { settle } from '../../engine/repair/settle.ts'
import { json } from './index.ts'

const written = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    userName: { type: 'string' },
    size: { enum: ['small', 'large'] },
    tags: { type: 'array', items: { type: 'string' } },
    paid: { type: 'boolean' },
  },
  required: ['id', 'userName', 'size', 'tags', 'paid'],
}
const zod = z.object({
  id: z.int(),
  userName: z.string(),
  size: z.enum(['small', 'large']),
  tags: z.array(z.string()),
  paid: z.boolean(),
})
/** The small build of Zod leaves the converter out; a schema may carry one all the same. */
const withConverter = (schema: zMini.ZodMiniType) => ({
  '~standard': { ...schema['~standard'], jsonSchema: { input: () => zMini.toJSONSchema(schema, { io: 'input' }) } },
})
const mini = zMini.object({
  id: zMini.int(),
  userName: zMini.string(),
  size: zMini.enum(['small', 'large']),
  tags: zMini.array(zMini.string()),
  paid: zMini.boolean(),
})
const valibot = toStandardJsonSchema(
  v.object({
    id: v.pipe(v.number(), v.integer()),
    userName: v.string(),
    size: v.picklist(['small', 'large']),
    tags: v.array(v.string()),
    paid: v.boolean(),
  }),
)
const arktype = type({ id: 'number.integer', userName: 'string', size: "'small'|'large'", tags: 'string[]', paid: 'boolean' })

const libraries: [string, unknown][] = [
  ['Zod', zod],
  ['Zod Mini with its converter', withConverter(mini)],
  ['Valibot', valibot],
  ['ArkType', arktype],
  ['an object that only tells its JSON Schema', { '~standard': { version: 1, vendor: 'own', jsonSchema: { input: () => written } } }],
]

const settled = async (schema: unknown, text: string) => {
  const { status, text: after, repairs, facts } = await settle(contract({ checks: [{ json: { schema } }], repair: 'first' }), text)
  return { status, text: after, repairs, value: status === 'unresolved' ? undefined : facts.json?.value }
}

const right = { id: 7, userName: 'ada', size: 'small', tags: ['a'], paid: true }
const changed = (change: object) => JSON.stringify({ ...right, ...change })

describe.each(libraries)('%s', (_name, schema) => {
  test.each([
    ['a right value', JSON.stringify(right)],
    ['a number in a string', changed({ id: '7' })],
    ['a number with a fraction of zero', JSON.stringify(right).replace('7', '7.0')],
    ['a truth value in a string', changed({ paid: 'true' })],
    ['a member of the enum in another case', changed({ size: 'Small' })],
    ['a key in another spelling', JSON.stringify(right).replace('userName', 'user_name')],
    ['one item for a list', changed({ tags: 'a' })],
    ['JSON in a string', changed({ tags: '["a", "b"]' })],
    ['the value in a list', `[${JSON.stringify(right)}]`],
    ['several faults in prose', `Here you are:\n\n\`\`\`json\n${changed({ id: '7', paid: 'false', size: 'LARGE' })}\n\`\`\``],
    ['wrong quotes and a wrong type', "{'id': '7', 'userName': 'ada', 'size': 'small', 'tags': ['a'], 'paid': True,}"],
    ['nothing that could be repaired', changed({ id: 'seven' })],
    ['a missing key', '{"id": 7}'],
  ])('repairs as the JSON Schema does: %s', async (_case, text) => {
    expect(await settled(schema, text)).toEqual(await settled(written, text))
  })

  test('any faults are repaired as by the JSON Schema', { timeout: 3_600_000 }, async () => {
    const scalar = fc.constantFrom<unknown>(
      7,
      '7',
      '7.0',
      7.5,
      'true',
      true,
      null,
      'small',
      'SMALL',
      'sm all',
      '',
      ['a'],
      'a',
      '["a"]',
      [7],
      {},
    )
    const key = (name: string) => fc.constantFrom(name, name.toLowerCase(), name.toUpperCase(), `${name} `, 'other')
    const member = fc.constantFrom('id', 'userName', 'size', 'tags', 'paid').chain((name) => fc.tuple(key(name), scalar))
    const numRuns = 25
    await fc.assert(
      fc.asyncProperty(fc.array(member, { maxLength: 3 }), async (members) => {
        const text = JSON.stringify({ ...right, ...Object.fromEntries(members) })
        const { value, ...rest } = await settled(schema, text)
        const expected = await settled(written, text)
        // Libraries drop keys that they do not know; the rest must be the same.
        expect({ ...rest, value: value && { ...(expected.value as object), ...value } }).toEqual(expected)
      }),
      { numRuns },
    )
  })
})

describe('the library decides', () => {
  test('over what its JSON Schema allows', async () => {
    const even = z.object({ n: z.int().refine((n) => n % 2 === 0, 'is odd') })
    expect(await settled(even, '{"n": "4"}')).toMatchObject({ status: 'repaired', value: { n: 4 } })
    expect(await settled(even, '{"n": "3"}')).toMatchObject({ status: 'unresolved', text: '{"n": "3"}', repairs: [] })
    const later = z.object({ n: z.int().refine(async (n) => n % 2 === 0, 'is odd') })
    expect(await settled(later, '{"n": "4"}')).toMatchObject({ status: 'repaired', value: { n: 4 } })
    expect(await settled(later, '{"n": "3"}')).toMatchObject({ status: 'unresolved', repairs: [] })
  })

  test('over what its JSON Schema forbids: a value that it accepts stays as it is', async () => {
    const lax = z.object({ n: z.preprocess(Number, z.number()) })
    for (const text of ['{"n": "4"}', '{"n": "4", "x": 1, "x": 2}'])
      expect(await settled(lax, text)).toMatchObject({ status: 'valid', text, value: { n: 4 } })
  })

  test.each<[string, unknown, string, unknown]>([
    [
      'Zod',
      z.object({ n: z.int().transform((n) => new Date(n)), at: z.string().default('now') }),
      '{"n": "0"}',
      { n: new Date(0), at: 'now' },
    ],
    [
      'Valibot',
      toStandardJsonSchema(
        v.object({
          n: v.pipe(
            v.number(),
            v.transform((n) => new Date(n)),
          ),
          at: v.optional(v.string(), 'now'),
        }),
      ),
      '{"n": "0"}',
      { n: new Date(0), at: 'now' },
    ],
    ['ArkType', type({ n: ['number', '=>', (n) => new Date(n)], at: 'string = "now"' }), '{"n": "0"}', { n: new Date(0), at: 'now' }],
  ])('and its output is the value: %s', async (_name, schema, text, value) => {
    expect(await settled(schema, text)).toMatchObject({ status: 'repaired', text: '{"n": 0}', value })
  })

  test('within the time limit of the contract', async () => {
    const never = z.object({ n: z.int().refine(() => new Promise<boolean>(() => {})) })
    const report = await check(contract({ checks: [json({ schema: never })], timeoutMs: 20 }), '{"n": 1}')
    expect(report.unchecked).toMatchObject([{ validator: 'json', cause: 'timeout' }])
  })
})

describe('a schema whose JSON Schema cannot be made in full', () => {
  test.each<[string, unknown, string, object]>([
    ['a date', z.object({ n: z.int(), at: z.date().optional() }), '{"n": "4"}', { n: 4 }],
    ['a bigint', z.object({ n: z.int(), big: z.bigint().optional() }), '{"n": "4"}', { n: 4 }],
    ['a transform first', z.object({ n: z.int(), t: z.string().transform((t) => t.length) }), '{"n": "4", "t": "abc"}', { n: 4, t: 3 }],
    ['Valibot’s date', toStandardJsonSchema(v.object({ n: v.number(), at: v.optional(v.date()) })), '{"n": "4"}', { n: 4 }],
    ['ArkType’s Date', type({ n: 'number', 'at?': 'Date' }), '{"n": "4"}', { n: 4 }],
    [
      'a pattern that is not linear',
      z.object({ n: z.int(), s: z.string().regex(/^(?!x)(.)\1$/) }),
      '{"n": "4", "s": "aa"}',
      { n: 4, s: 'aa' },
    ],
  ])('still guides the rest: %s', async (_name, schema, text, value) => {
    expect(await settled(schema, text)).toMatchObject({ status: 'repaired', value })
  })

  const validate = (value: unknown) =>
    (value as { n?: unknown }).n === 4 ? { value } : { issues: [{ message: 'n is not 4', path: ['n'] }] }
  const telling = (jsonSchema: unknown) => ({ '~standard': { version: 1, vendor: 'own', validate, jsonSchema } })
  test.each<[string, unknown]>([
    ['Valibot alone', v.object({ n: v.number() })],
    ['no converter', telling(undefined)],
    ['a converter that is not one', telling({ input: {} })],
    [
      'a converter that throws',
      telling({
        input() {
          throw new Error('no')
        },
      }),
    ],
    [
      'a getter that throws',
      telling({
        get input() {
          throw new Error('no')
        },
      }),
    ],
    ['nothing', telling({ input: () => undefined })],
    ['a promise', telling({ input: () => Promise.resolve({ type: 'object' }) })],
    ['a text', telling({ input: () => 'object' })],
    ['a wrong schema', telling({ input: () => ({ type: 'objekt', properties: 1 }) })],
    ['a remote reference', telling({ input: () => ({ $ref: 'https://example.org/x.json' }) })],
    [
      'a cycle',
      telling({
        input() {
          const cyclic: Record<string, unknown> = { type: 'object' }
          cyclic.properties = { a: cyclic }
          return cyclic
        },
      }),
    ],
  ])('checks as before, without repairs of types: %s', async (_name, schema) => {
    expect(await settled(schema, "{'n': 4}")).toMatchObject({ status: 'repaired', text: '{"n": 4}' })
    expect(await settled(schema, '{"n": "4"}')).toMatchObject({ status: 'unresolved', repairs: [] })
  })
})

describe('what a library rejects is said as for a JSON Schema', () => {
  const shape = z.strictObject({
    city: z.string().min(2),
    days: z.int().max(7),
    kind: z.enum(['sun', 'rain']),
    when: z.iso.date(),
    email: z.email(),
    either: z.union([z.string(), z.number()]),
    word: z.string().refine((word) => word === word.toLowerCase(), 'must be in small letters'),
  })
  const right = { city: 'Bonn', days: 3, kind: 'sun', when: '2026-01-31', email: 'a@b.org', either: 1, word: 'a' }

  test.each<[string, object, string]>([
    ['a type', { city: 1 }, 'Make city a string; it is the number 1.'],
    ['a length', { city: 'B' }, 'Lengthen city to at least 2 characters; it has 1.'],
    ['a limit', { days: 8 }, 'Make days at most 7; it is 8.'],
    ['a list of values', { kind: 'snow' }, 'Set kind to sun or rain; it is the string snow.'],
    ['a format', { when: 'today' }, 'Make when a date, such as 2026-01-31; it is the string today.'],
    ['another format', { email: 'me' }, 'Make email an email address, such as name@example.com; it is the string me.'],
    ['a union', { either: true }, 'Make either a string or a number; it is true.'],
    ['a property too many', { more: 1 }, 'Remove more; the property more is not allowed.'],
    ['a property that is missing', { city: undefined }, 'Add the property city to the value; it is missing.'],
    ['what a JSON Schema cannot say', { word: 'A' }, 'Correct word: must be in small letters.'],
  ])('%s', async (_what, wrong, message) => {
    const { issues } = await check(contract({ checks: [json({ schema: shape })] }), JSON.stringify({ ...right, ...wrong }))
    expect(issues.map((one) => one.message)).toEqual([message])
  })

  test('a list with many wrong items', async () => {
    const rules = contract({ checks: [json({ schema: z.array(z.string()) })] })
    const { issues } = await check(rules, JSON.stringify(Array(20_000).fill(1)))
    expect(issues[0]?.message).toBe('Make [0] a string; it is the number 1.')
  })
})
