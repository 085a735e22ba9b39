import { createRequire } from 'node:module'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { stemEnglish } from './english.ts'
import { stemGerman } from './german.ts'

interface Published {
  newStemmer(language: string): { stem(word: string): string }
}

// It comes without types.
const { newStemmer } = createRequire(import.meta.url)('snowball-stemmers') as Published

const suffixes =
  'eed eedly ing ingly ed edly ies ied sses us ss ational tional enci ousness fulness biliti lessli alli ogi li ness ful ative ement ion e ll ern em er en es s est st isch lich heit keit end ung ig ik niss'
const word = (letters: string) =>
  fc
    .tuple(
      fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 8 }),
      fc.array(fc.constantFrom(...suffixes.split(' ')), { maxLength: 2 }),
    )
    .map(([start, ends]) => start + ends.join(''))

describe('stems are those of the published algorithms', () => {
  test.each([
    ['english', stemEnglish, 'aeiouybdgstnlrwx'],
    ['german', stemGerman, 'aeiouyäöüßbdgstnlrhck'],
  ] as const)('%s, for any word', (language, stem, letters) => {
    const published = newStemmer(language)
    fc.assert(
      fc.property(word(letters), (one) => {
        expect(stem(one)).toBe(published.stem(one))
      }),
      { numRuns: 2000 },
    )
  })

  test.each([
    [
      stemEnglish,
      'skies dying generously communities patients retried hopping hoping controlled proceedings',
      'sky die generous communiti patient retri hop hope control proceed',
    ],
    [
      stemGerman,
      'häuser kündigungen aufeinander schönheiten grüßen verhältnisse bauen',
      'haus kundig aufeinand schonheit gruss verhaltnis bau',
    ],
  ] as const)('%o', (stem, words, stems) => {
    expect(words.split(' ').map(stem).join(' ')).toBe(stems)
  })
})
