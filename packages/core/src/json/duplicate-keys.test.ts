import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { differs, readPairs, repeatingJson } from '../../../../attack/oracles/pairs.ts'
import { findDuplicateKeys } from './duplicate-keys.ts'

/** What is found in a text. */
function found(text: string): string[] {
  return findDuplicateKeys(text).map(({ path }) => path.join('/'))
}

describe('findDuplicateKeys', () => {
  test.each<[string, string, string[]]>([
    ['different values', '{"to": "EVIL", "to": "ACME"}', ['to']],
    ['equal values', '{"to": "ACME", "to": "ACME"}', []],
    ['equal lists and objects', '{"a": [1, {"b": 2, "c": 3}], "a": [1.0, {"c": 3e0, "b": 2}]}', []],
    ['lists in another order', '{"a": [1, 2], "a": [2, 1]}', ['a']],
    ['another type', '{"a": 1, "a": "1"}', ['a']],
    ['null and false', '{"a": null, "a": false}', ['a']],
    ['a list and an object', '{"a": [], "a": {}}', ['a']],
    ['the key in an escape', '{"to": 1, "\\u0074o": 2}', ['to']],
    ['an escape and the same value', '{"to": "é", "\\u0074o": "\\u00e9"}', []],
    ['a quote in the key', '{"a\\"": 1, "a\\"": 2}', ['a"']],
    ['a back-slash at the end of the key', '{"a\\\\": 1, "a\\\\": 2}', ['a\\']],
    ['a surrogate pair in an escape', '{"😀": 1, "\\ud83d\\ude00": 2}', ['😀']],
    ['__proto__', '{"__proto__": 1, "__proto__": 2}', ['__proto__']],
    ['equal __proto__', '{"__proto__": {"a": 1}, "__proto__": {"a": 1}}', []],
    ['the empty key', '{"": 1, "": 2}', ['']],
    ['depth', '{"a": [{"b": 1}, {"b": 1, "c": {"d": 1, "d": 2}}]}', ['a/1/c/d']],
    ['three times', '{"a": 1, "a": 1, "a": 2}', ['a']],
    ['inside of a value that another one replaces', '{"a": {"x": 1, "x": 2}, "a": {"x": 2}}', ['a/x']],
    ['one key in two objects', '[{"a": 1}, {"a": 2}]', []],
    ['a key that is also a value', '{"a": "b", "b": "a"}', []],
    ['a value that looks like a key', '{"a": "b\\": 1, \\"a", "c": ":"}', []],
    ['white space', '{ "a"\n:\t1 ,\r\n"a" : 2 }', ['a']],
    ['zero and minus zero', '{"a": 0, "a": -0.0}', []],
    ['numbers that are one double', '{"a": 12345678901234567890, "a": 12345678901234567891}', ['a']],
    ['numbers beyond every double', '{"a": 1e400, "a": 1e401}', ['a']],
    ['the same number in other words', '{"a": 1e400, "a": 10E+399}', []],
    ['a small exponent', '{"a": 10e-1, "a": 1}', []],
    ['no JSON', '{"a": 1, "a": 2', []],
    ['no JSON, with escapes', '{"\\x": 1, "\\x": 2}', []],
    ['a scalar', '"a"', []],
  ])('%s', (_name, text, expected) => {
    expect(found(text)).toEqual(expected)
  })

  test('the span is that of the later key', () => {
    const text = '{"a": {"b": 1, "\\u0062": 2}}'
    const [one] = findDuplicateKeys(text)
    expect(text.slice(one?.start, one?.end)).toBe('"\\u0062"')
  })

  test('agrees with a reader that keeps every pair', () => {
    fc.assert(
      fc.property(repeatingJson, (text) => {
        expect(found(text).length > 0).toBe(differs(readPairs(text)))
      }),
      { numRuns: 1000 },
    )
  })

  test.each([
    ['deep lists', `${'['.repeat(200_000)}${']'.repeat(200_000)}`],
    ['deep objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
    ['deep equal twins', twins(14)],
    ['many keys', `{${Array.from({ length: 200_000 }, (_, at) => `"k${at}":${at}`).join()}}`],
    ['one key many times', `{${'"a":1,'.repeat(200_000)}"a":1}`],
    ['back-slashes', `{"${'\\\\'.repeat(500_000)}": 1}`],
    ['quotes', `{"${'\\"'.repeat(500_000)}": 1}`],
    ['a long number', `{"a": ${'1'.repeat(500_000)}, "a": ${'1'.repeat(500_000)}}`],
  ])('stays cheap on %s', (_name, text) => {
    expect(found(text)).toEqual([])
  })

  test('tells of a bounded number', () => {
    expect(found(`{${Array.from({ length: 50_000 }, (_, at) => `"a":${at}`).join()}}`)).toHaveLength(20)
    const deep = `${'{"a":'.repeat(50_000)}{"x":1,"x":2}${'}'.repeat(50_000)}`
    expect(found(`{"d": ${deep}}`)).toHaveLength(1)
  })
})

function twins(levels: number): string {
  return levels === 0 ? '1' : `{"a":${twins(levels - 1)},"a":${twins(levels - 1)}}`
}
