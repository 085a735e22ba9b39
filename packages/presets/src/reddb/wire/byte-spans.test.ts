import { describe, expect, test } from 'vitest'
import { parseCitations as readCitations } from '../citations/parse.ts'
import { byteSpans } from './byte-spans.ts'

describe('byteSpans', () => {
  test.each([
    ['plain', 'ab[^1]', [[2, 6]], [[2, 6]]],
    ['two, three and four bytes', 'é感👍[^1]', [[4, 8]], [[9, 13]]],
    ['lone surrogates', '\ud83d[^1]\udc4d', [[1, 5]], [[3, 7]]],
    [
      'several',
      'é[^1]é[^2]',
      [
        [1, 5],
        [6, 10],
      ],
      [
        [2, 6],
        [8, 12],
      ],
    ],
    ['beyond the end', 'é', [[0, 9]], [[0, 2]]],
    ['none', 'é', [], []],
  ])('%s', (_name, text, spans, expected) => {
    const toSpan = ([start = 0, end = 0]: number[]) => ({ start, end })
    expect(byteSpans(text, spans.map(toSpan))).toEqual(expected.map(toSpan))
  })

  test('agree with the bytes of a text', () => {
    const text = 'Grüße 感谢[^1] 👍[^22]'
    const bytes = new TextEncoder().encode(text)
    const spans = byteSpans(
      text,
      readCitations(text, 1).citations.map(({ span }) => span),
    )
    expect(spans.map(({ start, end }) => new TextDecoder().decode(bytes.slice(start, end)))).toEqual(['[^1]', '[^22]'])
  })
})
