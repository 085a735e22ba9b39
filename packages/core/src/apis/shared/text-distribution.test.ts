import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Certificate } from '../../contract/certificate.ts'
import { distribute } from './text-distribution.ts'

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

const removing = (text: string, start: number, end: number): Certificate => ({
  rule: 'drop-prose',
  class: 'lossless',
  span: { start, end },
  before: text.slice(start, end),
  after: '',
})

test.each<[readonly string[], string]>([
  [['The list [1] follows: ', '[1]'], '[1]'],
  [['Like {"a":1}: ', '{"a":1,}'], '{"a":1}'],
])('%j keeps %j in its last piece, though the first has the same', (pieces, final) => {
  const text = pieces.join('')
  expect(distribute(pieces, final, [removing(text, 0, pieces[0]?.length ?? 0)])).toEqual(['', final])
})

test('leaves what repairs have kept where it was, whatever was around it and is in it', () => {
  const text = fc.string({ unit: fc.constantFrom('{', '}', '"', 'a'), maxLength: 30 })
  fc.assert(
    fc.property(text, text, text, fc.nat(), (before, value, after, at) => {
      const whole = before + value + after
      const cut = at % (before.length + 1)
      const spans = [
        [0, cut],
        [cut, before.length],
        [before.length + value.length, whole.length],
      ] as const
      const repairs = spans.filter(([start, end]) => end > start).map(([start, end]) => removing(whole, start, end))
      expect(distribute([before, value, after], value, repairs)).toEqual(['', value, ''])
    }),
  )
})
