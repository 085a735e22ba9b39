import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergeDelta } from './merge-delta.ts'

type Json = Record<string, unknown>

test('continues texts, lengthens lists, and continues items of one index', () => {
  const target: Json = {}
  mergeDelta(target, { text: 'a', list: [{ index: 0, text: 'x' }], id: 'one' })
  mergeDelta(target, { text: 'b', list: [{ index: 0, text: 'y' }, { index: 1 }], id: 'one', none: null })
  expect(target).toEqual({ text: 'ab', list: [{ index: 0, text: 'xy' }, { index: 1 }], id: 'one' })
})

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<unknown>('a', 'b', 0, 1, true, null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('index', 'type', 'text', 'list', '__proto__'), tie('value'), { maxKeys: 4 }),
  ),
}))

test('A18 never changes a delta, which may still have to be sent', () => {
  const delta = fc.dictionary(fc.constantFrom('details', 'text', 'list'), value, { maxKeys: 3 })
  fc.assert(
    fc.property(fc.array(delta, { maxLength: 5 }), (deltas) => {
      const before = JSON.stringify(deltas)
      const target: Json = {}
      for (const one of deltas) mergeDelta(target, one)
      expect(JSON.stringify(deltas)).toBe(before)
      expect(Object.getPrototypeOf(target)).toBe(Object.prototype)
    }),
    { numRuns: 2000 },
  )
})
