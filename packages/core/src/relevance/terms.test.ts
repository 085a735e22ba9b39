import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { terms } from './terms.ts'

describe('terms', () => {
  test.each<[string, string]>([
    ['', ''],
    ['The retries were retried', 'the retri were retri'],
    // The parts of an identifier, and the whole.
    ['getUserName', 'get user name getusername'],
    ['snake_case_word', 'snak case word snakecaseword'],
    ['kebab-case a.dotted/path', 'kebab case a dot path'],
    ['HTTPServer', 'http serv httpserver'],
    // An abbreviation in the plural is one word.
    ['PDFs IDs APIs GmbHs', 'pdf id api gmb hs gmbhs'],
    ['encodeSHA256 SHA-256', 'encod sha 256 sha256 encodesha256 sha 256'],
    ['p53 CO2 __init__', 'p53 co2 init'],
    // German, with and without its letters.
    ['Kündigungen Kündigung kündigen', 'kundig kundig kundig'],
    ['Häuser Haus Straße STRASSE', 'haus haus strass strass'],
    ['Informationen Information Seite Seiten', 'inform inform seit seit'],
    // Accents, ligatures, wide letters, capital letters with a dot.
    ['cafe\u0301 café CAFÉ ﬁsh Ｗｉｄｅ İstanbul', 'cafe cafe cafe fish wide istanbul'],
    ["the patient's O'Brien’s", 'the patient o brien'],
    ['日本語 한국어 ქართული', '日本 本語 한국어 ქართული'],
    ['½ x² \ud800 \u{1f600} "*" OR -- \0', '1 2 12 x2 or'],
  ])('%j', (text, expected) => {
    expect(terms(text).join(' ')).toBe(expected)
  })

  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.string({ unit: fc.constantFrom(...'aäßéI1_ -.\u0301\u0323\ud83d日é'), maxLength: 60 }),
  )

  test('hold letters, marks and digits, in small letters, and never more than 64 of them', () => {
    fc.assert(
      fc.property(text, (one) => {
        for (const term of terms(one.repeat(3))) {
          expect(term).toMatch(/^[\p{L}\p{M}\p{N}]{1,64}$/u)
          expect(term.length).toBeLessThanOrEqual(64)
        }
      }),
    )
  })

  test('are the same for text in composed and in decomposed form', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'aäöüÄÖßéIñç1_ -Ǻ한'), maxLength: 40 }), (one) => {
        expect(terms(one.normalize('NFD'))).toEqual(terms(one.normalize('NFC')))
      }),
    )
  })

  test('of a word do not depend on what stands around it', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(terms(`${before} \n ${after}`)).toEqual([...terms(before), ...terms(after)])
      }),
    )
  })
})
