import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findJsonFault } from './repair-json.ts'

describe('findJsonFault', () => {
  test.each<[string, number, string]>([
    ['', 0, 'none'],
    ['  ', 2, 'none'],
    ['hello', 0, 'none'],
    ["{'a': 1}", 1, 'none'],
    ['{a: 1}', 1, 'none'],
    ['{"a": 1,}', 8, 'none'],
    ['{"a" 1}', 5, 'none'],
    ['{"a": 1} x', 9, 'none'],
    ['{"a": 01}', 7, 'none'],
    ['{"a": True}', 6, 'none'],
    ['{"a": "b\n"}', 8, 'none'],
    ['{"a": "\\x"}', 7, 'none'],
    ['[1, 2}', 5, 'none'],
    ['/* x */ {}', 0, 'none'],
    ['{"a": "b"', 9, 'closers'],
    ['{"a": [1, {"b": null', 20, 'closers'],
    // Whether a number goes on nobody knows.
    ['{"a": 48, "b": 36', 17, 'closers'],
    ['{', 1, 'inside'],
    ['[', 1, 'inside'],
    ['{"a', 3, 'inside'],
    ['{"a"', 4, 'inside'],
    ['{"a":', 5, 'inside'],
    ['{"a": "b', 8, 'inside'],
    ['{"a": "b\\', 9, 'inside'],
    ['{"a": "b\\u00', 12, 'inside'],
    ['{"a": 1,', 8, 'inside'],
    ['{"a": -', 7, 'inside'],
    ['{"a": 1.', 8, 'inside'],
    ['{"a": 1e+', 9, 'inside'],
    ['{"a": tru', 9, 'inside'],
    ["{'a': 'b", 1, 'inside'],
  ])('%j', (text, at, cut) => {
    expect(() => JSON.parse(text)).toThrow()
    expect(findJsonFault(text)).toEqual(cut === 'none' || text.startsWith("{'") ? { at, cut } : { at: text.length, cut })
  })

  test('every prefix of JSON ends early, and says so', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), (json, cutAt) => {
        const text = `{"a":${json}}`
        const prefix = text.slice(0, 1 + (cutAt % (text.length - 1)))
        const { at, cut } = findJsonFault(prefix)
        expect(at).toBe(prefix.length)
        expect(cut).not.toBe('none')
      }),
    )
  })

  test('megabytes and deep nesting', () => {
    expect(findJsonFault(`{"a":"${'\\n'.repeat(1_000_000)}`).cut).toBe('inside')
    expect(findJsonFault('['.repeat(100_000)).cut).toBe('inside')
    expect(findJsonFault(`${'['.repeat(100_000)}1`).cut).toBe('closers')
  })
})
