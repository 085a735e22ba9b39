import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contract } from '../../catalogue.ts'
import { settle } from '../../engine/repair/settle.ts'
import { assertStreamable } from '../../testing/assert-streamable.ts'
import { sensitive } from './index.ts'

const redacting = contract({ checks: [sensitive({ redact: true })], retries: 0 })
const redacted = async (text: string): Promise<string> => (await settle(redacting, text)).text
// In parts, so that no scanner takes them for real ones.
const openAiKey = `sk-${'proj-'}Ab3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6`
const token = ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiIxMjM0NTY3ODkwIn0', 'dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P'].join('.')
const values = ['jane@other.org', '4111 1111 1111 1111', 'DE89 3704 0044 0532 0130 00', '+49 170 1234567', '123-45-6789', openAiKey, token]

test.each<[string, string]>([
  ['Ⓐ4111 1111 1111 1111', 'Ⓐ[CARD]'],
  ['4111 1111 1111 1111ⓐ', '[CARD]ⓐ'],
  ['ℝ4111 1111 1111 1111', 'ℝ[CARD]'],
  ['\u{1d7cf}4111 1111 1111 1111', '\u{1d7cf}[CARD]'],
  ['&#x24b6;4111 1111 1111 1111', '&#x24b6;[CARD]'],
  ['"\\u24b64111 1111 1111 1111"', '"\\u24b6[CARD]"'],
  ['1\u20134111 1111 1111 1111', '1\u2013[CARD]'],
  ['1\u22124111 1111 1111 1111', '1\u2212[CARD]'],
  ['1[](x)4111 1111 1111 1111', '1[](x)[CARD]'],
  ['Ⓐ４１１１\u00a0１１１１ １１１１ １１１１ⓐ', 'Ⓐ[CARD]ⓐ'],
  ['ⓘDE89 3704 0044 0532 0130 00', 'ⓘ[IBAN]'],
  ['DE89 3704 0044 0532 0130 00ⓘ', '[IBAN]ⓘ'],
  ['𝐈𝐁𝐀𝐍DE89 3704 0044 0532 0130 00', '𝐈𝐁𝐀𝐍[IBAN]'],
  ['Ⓣ+49 170 1234567', 'Ⓣ[PHONE]'],
  ['5\u30000170 1234567', '5\u3000[PHONE]'],
  ['ⓝ123-45-6789ⓝ', 'ⓝ[SSN]ⓝ'],
  [`ⓚ${openAiKey}`, `ⓚ[API KEY]`],
  [`key＿${openAiKey}`, `key＿[API KEY]`],
  [`ⓣ${token}ⓣ`, 'ⓣ[JWT]ⓣ'],
  ['\ufe6bjane@other.org', '\ufe6b[EMAIL]'],
  ['https://x:1![](x y)jane@other.org', 'https://x:1![](x y)[EMAIL]'],
  ['+49 30 1234567![](x y)a@b.io', '[PHONE]'],
  ['Ⓐ4111\u20131111\u20131111\u20131111', 'Ⓐ[CARD]'],
  ['ⓝ123\u221245\u22126789ⓝ', 'ⓝ[SSN]ⓝ'],
  ['Ⓐ𝟒𝟏𝟏𝟏 1111 1111 1111', 'Ⓐ[CARD]'],
  ['1\u2013𝟒𝟏𝟏𝟏 1111 1111 1111ⓐ', '1\u2013[CARD]ⓐ'],
  ['jane.doe[@](x)acme.com', '[EMAIL]'],
  ['[jane.doe](https://x.org/y)@acme.com', '[[EMAIL]'],
  ['jane@acme[.com](<x> "title").', '[EMAIL]](<x> "title").'],
  ['jane[**@**](x)[acme](y).com', '[EMAIL]'],
  ['4111 [1111](x) 1111[ 1111](y)', '[CARD]](y)'],
  ['([415](x)) 555-2671', '[PHONE]'],
  ['1[4111111111111111](x)', '1[[CARD]](x)'],
])('other forms of characters beside it hide nothing: %s', async (text, expected) => {
  for (const [before, after] of [
    ['', ''],
    ['It is ', ' today'],
    ['Ⓐ ', ' ⓐ'],
  ]) {
    expect(await redacted(`${before}${text}${after}`)).toBe(`${before}${expected}${after}`)
    await assertStreamable(redacting, `${before}${text}${after}`, [1, 2, 7])
  }
})

test('whatever is put beside and into values: streamed as whole', async () => {
  const other = fc.constantFrom(
    'Ⓐ',
    'ℝ',
    '𝐀',
    '𝟏',
    '＿',
    '\u2013',
    '\u2212',
    '\u3000',
    '\u2024',
    '\ufe6b',
    '[](x)',
    '[@](x)',
    '[a](',
    '](x y)',
    '&#x24b6;',
    '\u3002',
  )
  const value = fc.constantFrom(...values)
  const piece = fc.oneof(value, other, fc.constantFrom(' ', '1', 'a', '-', '@', '+49 30 1234', '\u2013567', 'Ａ'))
  const rules = contract({ checks: [sensitive({ redact: true, allowed: ['+49 30 1234567', 'a@b.io'] })], retries: 0 })
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 8 }), fc.integer({ min: 1, max: 9 }), async (pieces, size) => {
      const text = pieces.join('')
      if (text.trim() === '') return
      await assertStreamable(rules, text, [1, size])
    }),
    { numRuns: 150 },
  )
})
