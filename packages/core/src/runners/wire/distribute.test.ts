import fc from 'fast-check'
import { expect, test } from 'vitest'
import { distribute } from './distribute.ts'

test.each<[readonly string[], string, readonly string[]]>([
  [['abc', 'def'], 'aXcdYf', ['aXc', 'dYf']],
  [['All ', 'done.'], 'All done.\n\nX', ['All ', 'done.\n\nX']],
  [['', 'abc', ''], 'Zabc!', ['', 'Zabc!', '']],
  [['', ''], 'hi', ['hi', '']],
  [['ab', 'cd', 'ef'], 'ef', ['', '', 'ef']],
  [['hello <', '!-- STEP: finalise -->', ' B'], 'hello <!-- STEP: finalize --> B', ['hello <', '!-- STEP: finalize -->', ' B']],
])('%j as %j', (pieces, final, given) => {
  expect(distribute(pieces, final)).toEqual(given)
})

const piece = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\ud83d', '\ude00', 'ü'), maxLength: 12 })

test('loses nothing and leaves every text that did not change in its piece', () => {
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 8 }), fc.array(piece, { maxLength: 8 }), (pieces, others) => {
      expect(distribute(pieces, others.join('')).join('')).toBe(others.join(''))
      expect(distribute(pieces, pieces.join(''))).toEqual(pieces)
    }),
  )
})

test('moves no text from one block to another, however many changes there are', () => {
  const block = fc.tuple(fc.nat({ max: 60 }), fc.boolean())
  fc.assert(
    fc.property(fc.array(block, { minLength: 2, maxLength: 5 }), (blocks) => {
      const before = blocks.map(([size], at) => `[${at}] ${'lorem ipsum '.repeat(size)}[/${at}]`)
      const after = before.map((text, at) => (blocks[at]?.[1] ? text.replaceAll('ipsum', 'dolor') : text))
      expect(distribute(before, after.join(''))).toEqual(after)
    }),
  )
})

test('takes linear time', () => {
  const before = Array.from({ length: 20_000 }, (_, at) => `word ${at} `)
  const after = before.map((text) => text.replace('word', 'ward')).join('')
  expect(distribute(before, after).join('')).toBe(after)
})

test('leaves a part of the text where it was', () => {
  const text = fc.string({ unit: fc.constantFrom('{', '}', '"', 'a'), maxLength: 30 })
  fc.assert(
    fc.property(text, text, text, (before, value, after) => {
      const json = `<${value}>`
      expect(distribute([before, json, after], json)).toEqual(['', json, ''])
    }),
  )
})
