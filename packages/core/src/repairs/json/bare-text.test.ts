import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lenientText } from './lenient-text.ts'
import { repairJson } from './repair-json.ts'

const runs = 2000

const pieces = fc.constantFrom(
  ...['a', 'Ulm', 'naïve', 'it’s', "don't", 'well-known', 'x_1', 'St.', '7', '4.22', '12e3', '-1', '007', 'true', 'None', '東京'],
  ...['1_000', '0x1F', '000', '1.000.000', '٣', '10n', 'null', 'or', 'and', 'not', 'False', '3'],
  ...[
    ' ',
    ' ',
    ' ',
    ',',
    ', ',
    ';',
    '=',
    ' = ',
    ' + ',
    '+',
    ' - ',
    '-',
    '*',
    '/',
    '%',
    '<',
    '>',
    '&&',
    '|',
    '!',
    '?',
    '@',
    '#',
    '$',
    ':',
    ': ',
  ],
  ...['(', ')', 'f(', 'f(a=1, b=2)', 'g(x, h(y, z))', '()', '...', '…', "'", '"', '“', '`', '\\', '\n', '\u00a0', '[', ']', '{', '}'],
)
const texts = fc.array(pieces, { minLength: 1, maxLength: 8 }).map((parts) => parts.join(''))
const places = fc.constantFrom<(text: string) => string>(
  (text) => `[${text}]`,
  (text) => `{"k": ${text}}`,
  (text) => `[1, ${text}, 2]`,
  (text) => `{"k": ${text}, "l": 1}`,
)

/** Words of letters, digits and underscores; between them white space, and inside them a hyphen, an apostrophe or a point. */
function isWords(text: string): boolean {
  return text.split(/\s+/).every((word) => /^[\p{L}\p{N}\p{M}_]/u.test(word) && !/[^\p{L}\p{N}\p{M}_.'’-]|[-.'’]{2}|[-'’]$/u.test(word))
}

/** What a number or a literal may be in any language, found in another way than the reader does. */
function isValueLike(word: string): boolean {
  const digits = (/^\d+(?:\.\d{3})+$/.test(word) ? word.replaceAll('.', '') : word).replace(/[_'’]|n$/g, '')
  const isNumber = /^\p{N}+$/u.test(digits) || (digits !== '' && !Number.isNaN(Number(digits)))
  return isNumber || ['true', 'null', 'none', 'false'].includes(word.toLowerCase())
}

/** Whether nothing in a text says that it is one. */
function isAllValues(text: string): boolean {
  const parts = text.split(/\s+/).filter((word) => !['and', 'or', 'not'].includes(word))
  return parts.length > 0 && parts.every(isValueLike)
}

const isEven = (text: string): boolean => text.split('(').length === text.split(')').length

function* stringsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) yield* stringsIn(inner)
}

describe('text without quotes', () => {
  test('is quoted for certain only where it is nothing but words', { timeout: 60_000 }, () => {
    let quoted = 0
    fc.assert(
      fc.property(texts, places, (text, place) => {
        const result = repairJson(place(text))
        for (const { rule, class: kind, before } of result.ok ? result.edits : []) {
          if (rule !== 'quote-text' || kind !== 'lossless') continue
          quoted++
          expect(before).toSatisfy(isWords)
          expect(before).not.toSatisfy(isAllValues)
        }
      }),
      { numRuns: runs },
    )
    expect(quoted).toBeGreaterThan(100)
  })

  test('keeps a call and an expression in one piece, whatever is in them', { timeout: 60_000 }, () => {
    const name = fc.constantFrom('f', 'get_weather', 'np.array', 'a.b')
    const given = fc.constantFrom('a', 'a=1', 'city=Ulm', 'x + y', 'b=True', "c='x, y'", '', 'g(x, y)', 'h(i=1, j=k(2))')
    const call = fc
      .tuple(name, fc.array(given, { maxLength: 4 }), fc.constantFrom(', ', ','))
      .map(([called, list, comma]) => `${called}(${list.join(comma)})`)
    fc.assert(
      fc.property(fc.array(call, { minLength: 1, maxLength: 3 }), places, (calls, place) => {
        const result = repairJson(place(calls.join(', ')))
        if (!result.ok) return
        for (const text of stringsIn(result.value)) expect(text).toSatisfy(isEven)
        expect(result.edits.filter(({ rule, class: kind }) => rule === 'quote-text' && kind === 'lossless')).toEqual([])
        expect(lenientText(place(calls.join(', ')))).toBeUndefined()
      }),
      { numRuns: runs },
    )
  })
})
