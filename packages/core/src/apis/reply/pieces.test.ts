import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pieceLength, pieces } from './pieces.ts'

describe('pieces', () => {
  it.each([
    ['an empty text', '', []],
    ['a short text', 'ab', ['ab']],
    ['a text of just the length', 'x'.repeat(pieceLength), ['x'.repeat(pieceLength)]],
    ['one more', 'x'.repeat(pieceLength + 1), ['x'.repeat(pieceLength), 'x']],
    ['a pair across the end', `${'x'.repeat(pieceLength - 1)}🙂`, ['x'.repeat(pieceLength - 1), '🙂']],
    ['a lone surrogate at the end', `${'x'.repeat(pieceLength - 1)}\ud83dx`, [`${'x'.repeat(pieceLength - 1)}\ud83d`, 'x']],
  ])('cuts %s', (_name, text, expected) => {
    expect(pieces(text)).toEqual(expected)
  })

  it('loses nothing, is never too long and keeps pairs together', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 50 }), fc.integer({ min: 0, max: 300 }), (unit, times) => {
        const text = unit.repeat(times)
        const cut = pieces(text)
        expect(cut.join('')).toBe(text)
        expect(cut.every((piece) => piece.length > 0 && piece.length <= pieceLength && !/\p{Surrogate}/u.test(piece))).toBe(true)
      }),
    )
  })
})
