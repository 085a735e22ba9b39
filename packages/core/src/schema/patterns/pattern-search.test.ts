import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { randomFrom } from '../../../../../bench/complexity/recipes.mjs'
import { seed } from '../../../../../tools/tests/random.ts'
import { Automaton, TooManyReads } from './automaton.ts'
import { PatternSearch } from './pattern-search.ts'
import { compileProgram } from './program.ts'

interface Span {
  readonly start: number
  readonly end: number
}

function spansOf(source: string, text: string, size: number): Span[] {
  const spans: Span[] = []
  let told = 0
  const search = new PatternSearch(compileProgram(source), {
    found: () => {
      told++
      return false
    },
    settled: (span) => spans.push(span),
  })
  let safe = 0
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at + size - 1)
    const end = at + size + (code >= 0xd800 && code <= 0xdbff ? 1 : 0)
    search.push(text.slice(at, end))
    at = end
    expect(search.open).toBeLessThanOrEqual(Math.min(at, text.length))
    for (const span of spans.slice(-1)) expect(span.start).toBeGreaterThanOrEqual(0)
    safe = Math.max(safe, search.open)
  }
  search.end()
  expect(told).toBe(spans.length)
  return spans
}

/** What the native engine finds in the whole text. */
function wholeSpans(source: string, text: string): Span[] {
  return [...text.matchAll(new RegExp(source, 'gu'))].map(({ 0: found, index }) => ({ start: index, end: index + found.length }))
}

describe('pattern search', () => {
  test('finds what the native engine finds in the whole text, for any pattern, text and chunks', () => {
    const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\b', '\\s', '👍', 'ab', '\\n')
    const quantifier = fc.constantFrom('', '', '*', '+', '?', '{2}', '*?', '+?', '??')
    const piece = fc
      .tuple(atom, quantifier)
      .filter(([one, times]) => times === '' || one !== '\\b')
      .map(([one, times]) => (one.length > 1 && times !== '' ? `(?:${one})${times}` : one + times))
    const sequence = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join(''))
    // In ECMA-262 a repetition must not be empty, which moves the end of some odd matches.
    const consuming = sequence.filter((one) => !new RegExp(`^(?:${one.replaceAll('\\b', '')})$`, 'u').test(''))
    const source = fc.oneof(
      sequence,
      fc.tuple(sequence, sequence).map(([one, other]) => `${one}|${other}`),
      fc.tuple(consuming, consuming).map(([one, other]) => `a(?:${one}|${other})?b?`),
      sequence.map((one) => `^${one}`),
      sequence.map((one) => `${one}$`),
    )
    const text = fc.array(fc.constantFrom('a', 'b', 'c', ' ', '\n', '👍'), { maxLength: 24 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(source, text, fc.integer({ min: 1, max: 5 }), (regex, answer, size) => {
        const whole = wholeSpans(regex, answer)
        fc.pre(whole.every(({ start, end }) => start < end))
        expect(spansOf(regex, answer, size)).toEqual(whole)
      }),
      { numRuns: 400 },
    )
  })

  test('what is released before a match is never part of it', () => {
    const text = 'x <<title>> y <<a\nb>>'
    const seen: number[] = []
    const search = new PatternSearch(compileProgram('<<[^\\n]+>>'), { found: () => false })
    for (const unit of text) {
      search.push(unit)
      seen.push(search.open)
    }
    expect(seen[7]).toBe(2)
    expect(seen.at(-1)).toBe(text.length)
  })

  test.each([
    ['a search', (text: string) => new PatternSearch(compileProgram('a[ab]{0,900}c'), { found: () => false }).push(text)],
    ['an automaton', (text: string) => new Automaton(compileProgram('a[ab]{0,900}c')).test(text)],
  ])('%s with a large count ends on a text that keeps all of it going', (_name, read) => {
    const random = randomFrom(seed)
    const text = Array.from({ length: 100_000 }, () => (random() < 0.5 ? 'a' : 'b')).join('')
    expect(() => read(text)).toThrow(TooManyReads)
  })

  test('a text that would be read again and again ends the search', () => {
    const search = new PatternSearch(compileProgram('a(?:.*b)?'), { found: () => false })
    const read = (): void => {
      search.push('a'.repeat(100_000))
      search.end()
    }
    expect(read).toThrow(TooManyReads)
  })
})
