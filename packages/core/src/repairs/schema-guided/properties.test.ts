import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { schemas as schema, schemaValues as value } from '../../../../../attack/generators/schemas.ts'
import type { RepairClass } from '../../contract/certificate.ts'
import { createSchemaCache } from '../../schema/cache.ts'
import { changedText } from '../apply.ts'
import { repairBySchema } from './repair-by-schema.ts'

const cache = createSchemaCache(10)
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
        const after = String(changedText(text, edits))
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
        if (edits.length > 0) expect(count(String(changedText(text, edits)))).toBeLessThanOrEqual(count(text))
      }),
      { numRuns: 400 },
    )
  })
})
