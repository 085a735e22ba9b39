import fc from 'fast-check'
import { expect, test } from 'vitest'
import { eachEntry } from './json-walker.ts'
import { endOfString } from './scan.ts'

/** The same, one character after the other. */
function slowEnd(text: string, from: number, end: number): number {
  for (let at = from, isEscaped = false; at < end; at++) {
    if (text[at] === '"' && !isEscaped) return at
    isEscaped = text[at] === '\\' && !isEscaped
  }
  return end
}

const pieces = fc.constantFrom('"', '\\', '\\\\', '\\"', 'a', 'long text without any of them, '.repeat(4))

test('finds the end of a string, however long it is and whatever it ends before', () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), fc.nat(), fc.nat(), (written, start, length) => {
      const text = written.join('')
      const from = start % (text.length + 1)
      const end = Math.min(text.length, from + (length % (text.length + 1)))
      expect(endOfString(text, from)).toBe(slowEnd(text, from, text.length))
      expect(endOfString(text, from, end)).toBe(slowEnd(text, from, end))
    }),
  )
})

test.each(['', 'plain', 'a "quoted" one', 'back\\slash\\', '\u2028\n\t', 'x'.repeat(1000), '\\'.repeat(99)])(
  'as JSON is written: %j',
  (value) => {
    const json = JSON.stringify(value)
    expect(endOfString(`${json}, "next"`, 1)).toBe(json.length - 1)
  },
)

test('entries of what is no JSON end', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('[', ']', '{', '}', ':', ',', '"', '\\', ' ', '1', 'a') }), (text) => {
      let visits = 0
      eachEntry(`[${text}`, 0, () => visits++)
      eachEntry(`{${text}`, 0, () => visits++)
      expect(visits).toBeLessThanOrEqual(2 * text.length + 2)
    }),
  )
})
