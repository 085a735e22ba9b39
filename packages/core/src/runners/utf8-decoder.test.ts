import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Utf8Decoder } from './sse.ts'

// Whole characters, and bytes that begin, go on or end where they should not.
const bytes = fc.oneof(
  fc.constantFrom('a', '\n', 'é', '€', '🙂', '\uFEFF').map((text) => [...new TextEncoder().encode(text)]),
  fc.constantFrom(0x41, 0x7f, 0x80, 0x9f, 0xa0, 0xbb, 0xbf, 0xc0, 0xc3, 0xe0, 0xe2, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0xff).map((one) => [one]),
)

test('any bytes in any pieces are what a decoder reads in one', () => {
  fc.assert(
    fc.property(fc.array(fc.array(bytes, { maxLength: 4 })), (given) => {
      const pieces = given.map((piece) => Uint8Array.from(piece.flat()))
      // All at once: in streams, Node 26 takes a mark for that of the beginning after a character that was cut.
      const expected = new TextDecoder().decode(Uint8Array.from(given.flat(2)))
      const decoder = new Utf8Decoder()
      const found = pieces.map((piece) => {
        const text = decoder.push(piece)
        // The bytes may be overwritten once they were taken.
        piece.fill(0x21)
        return text
      })
      expect(found.join('') + decoder.end()).toBe(expected)
    }),
    { numRuns: 1000 },
  )
})

test('a character is given as soon as it is whole', () => {
  const decoder = new Utf8Decoder()
  expect([...new TextEncoder().encode('a🙂')].map((byte) => decoder.push(Uint8Array.of(byte)))).toEqual(['a', '', '', '', '🙂'])
})
