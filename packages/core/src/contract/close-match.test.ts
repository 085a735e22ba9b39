import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { closeMatches } from './close-match.ts'

const long = (unit: string, length: number): string => unit.repeat(Math.ceil(length / unit.length)).slice(0, length)

describe('closeMatches', () => {
  // python3 -c "import difflib, json; print(json.dumps(difflib.get_close_matches('appel', ['ape', 'apple', 'peach', 'puppy'], 3, 0.6)))"
  test.each<[string, string[], number, number, string[]]>([
    ['appel', ['ape', 'apple', 'peach', 'puppy'], 3, 0.6, ['apple', 'ape']],
    ['check_adaptor_status', ['check_adapter_status', 'get_ip_config'], 1, 0.6, ['check_adapter_status']],
    ['completely_different', ['check_adapter_status'], 1, 0.6, []],
    ['GET_FORECAST', ['get_forecast'], 1, 0.6, []],
    ['Apple', ['apple', 'APPLE'], 3, 0.6, ['apple']],
    // Ties go to the greater text, by code points and not by UTF-16 units.
    ['ab', ['abx', 'aby'], 1, 0.6, ['aby']],
    ['ab', ['ab\uffee', 'ab😀'], 2, 0.6, ['ab😀', 'ab\uffee']],
    ['😀a', ['😀b', '😁a'], 1, 0.5, ['😁a']],
    ['', ['', 'a'], 2, 0, ['', 'a']],
    ['', ['a', 'b'], 2, 0, ['b', 'a']],
    ['x', [], 3, 0, []],
    ['same', ['same', 'same'], 3, 1, ['same', 'same']],
    ['constructor', ['__proto__', 'constructors'], 3, 0.6, ['constructors']],
    // From 200 characters on, popular ones start no match: python3 -c "… get_close_matches('ab'*100, ['ab'*100, 'b'+'ab'*100], 2, 0)"
    [long('ab', 200), [long('ab', 200), `b${long('ab', 200)}`], 2, 0, [long('ab', 200), `b${long('ab', 200)}`]],
    [`${long('ab', 200)}`, [`b${long('ab', 200)}`], 1, 0.6, []],
    [`${long('ab', 199)}`, [`b${long('ab', 199)}`], 1, 0.6, [`b${long('ab', 199)}`]],
  ])('%j among %j', (word, candidates, n, cutoff, expected) => {
    expect(closeMatches(word, candidates, n, cutoff)).toEqual(expected)
  })

  test('the best one is the first of all', () => {
    const texts = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '_', '😀'), maxLength: 12 }), { maxLength: 12 })
    const cutoffs = fc.constantFrom(0, 0.3, 0.6, 0.9, 1)
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'b', '_', '😀'), maxLength: 12 }), texts, cutoffs, (word, candidates, cutoff) => {
        const all = closeMatches(word, candidates, candidates.length + 1, cutoff)
        expect(closeMatches(word, candidates, 1, cutoff)).toEqual(all.slice(0, 1))
        expect(closeMatches(word, [...candidates].reverse(), 2, cutoff)).toEqual(all.slice(0, 2))
        expect(all.every((one) => candidates.includes(one))).toBe(true)
        if (candidates.includes(word)) expect(all[0]).toBe(word)
      }),
    )
  })

  test('thousands of long names against a very long one', () => {
    const names = Array.from({ length: 5000 }, (_, index) => long(`tool_${index}_`, 200))
    expect(closeMatches(long('xyz_', 10_240), names, 1)).toEqual([])
    expect(closeMatches(`${names[77]}x`, names, 1)).toEqual([names[77]])
  })
})
