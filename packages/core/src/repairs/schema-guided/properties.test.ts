import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RepairClass } from '../../contract/certificate.ts'
import { createSchemaCache } from '../../schema/cache.ts'
import { applyEdits } from './edit.ts'
import { repairBySchema } from './repair-by-schema.ts'

const cache = createSchemaCache(10)
const names = fc.constantFrom('a', 'user_name', 'userName', 'location', 'locaton', '__proto__', 'value')

const { schema } = fc.letrec<{ schema: unknown }>((tie) => {
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
      fc.record(
        {
          type: fc.constant('object'),
          properties: fc
            .uniqueArray(fc.tuple(names, inner), { selector: ([name]) => name, maxLength: 3 })
            .map((entries) => Object.fromEntries(entries)),
          required: fc.uniqueArray(names, { maxLength: 2 }),
          additionalProperties: fc.constantFrom(true, false),
        },
        { requiredKeys: ['type'], noNullPrototype: true },
      ),
      fc.record({ anyOf: fc.array(inner, { minLength: 1, maxLength: 3 }) }, { noNullPrototype: true }),
      fc.record({ allOf: fc.array(inner, { minLength: 1, maxLength: 2 }) }, { noNullPrototype: true }),
    ),
  }
})

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(
      'x',
      '5',
      'true',
      'no',
      'Celsius',
      'kelvn',
      'null',
      '[1]',
      '{"a": "1"}',
      '"x"',
      0,
      1,
      7,
      2.5,
      true,
      null,
      '[a, b]',
    ),
    fc.array(tie('value'), { maxLength: 3 }),
    fc
      .uniqueArray(fc.tuple(names, tie('value')), { selector: ([name]) => name, maxLength: 3 })
      .map((entries) => Object.fromEntries(entries)),
  ),
}))

const allowed: fc.Arbitrary<RepairClass[]> = fc.subarray<RepairClass>(['lossless', 'lossy', 'guess'])
const texts = fc.tuple(value, fc.constantFrom(0, 2)).map(([one, indent]) => JSON.stringify(one, null, indent))

describe('repairBySchema', () => {
  it('never changes what is valid, and changes only what it may', () => {
    fc.assert(
      fc.property(schema, texts, allowed, (rules, text, allow) => {
        const compiled = cache.compile(rules)
        const edits = repairBySchema(text, rules, { allow, compiled })
        if (compiled.validate(JSON.parse(text)).length === 0) expect(edits).toEqual([])
        for (const edit of edits) expect(allow).toContain(edit.class)
      }),
      { numRuns: 400 },
    )
  })
  it('gives changes that apply cleanly, leave JSON behind and need no second pass', () => {
    fc.assert(
      fc.property(schema, texts, allowed, fc.constantFrom('required', 'all'), (rules, text, allow, defaults) => {
        const compiled = cache.compile(rules)
        const edits = repairBySchema(text, rules, { allow, compiled, defaults })
        const after = applyEdits(text, edits)
        for (const [index, { start, before }] of edits.entries()) {
          expect(text.slice(start, start + before.length)).toBe(before)
          const previous = edits[index - 1]
          if (previous) expect(start).toBeGreaterThanOrEqual(previous.start + previous.before.length)
        }
        expect(() => JSON.parse(after)).not.toThrow()
        expect(repairBySchema(after, rules, { allow, compiled, defaults })).toEqual([])
      }),
      { numRuns: 400 },
    )
  })
  it('makes no answer worse', () => {
    fc.assert(
      fc.property(schema, texts, allowed, (rules, text, allow) => {
        const compiled = cache.compile(rules)
        const edits = repairBySchema(text, rules, { allow, compiled })
        const count = (json: string): number => compiled.validate(JSON.parse(json)).length
        if (edits.length > 0) expect(count(applyEdits(text, edits))).toBeLessThanOrEqual(count(text))
      }),
      { numRuns: 400 },
    )
  })
})
