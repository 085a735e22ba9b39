import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PastCall } from '../../answer/transcript.ts'
import { legalNext, SequenceAutomaton, type SequenceRules } from './automaton.ts'
import { compareCalls } from './compare.ts'

const past = (...names: string[]): PastCall[] => names.map((name) => ({ name, ok: true }))

describe('legalNext', () => {
  test.each<[string, SequenceRules, PastCall[], string[] | undefined, string[] | 'any']>([
    ['no rules', {}, past('a'), undefined, 'any'],
    ['order at the start', { order: ['a', 'b', 'c'] }, [], undefined, 'any'],
    ['order in the middle', { order: ['a', 'b', 'c'] }, past('b'), undefined, ['b', 'c']],
    ['order at its end', { order: ['a', 'b', 'c'] }, past('c'), undefined, ['c']],
    ['other tools stay legal', { order: ['a', 'b'] }, past('b'), ['a', 'b', 'x'], ['b', 'x']],
    ['exact', { expect: ['a', 'b'] }, past('a'), undefined, ['b']],
    ['exact, done', { expect: ['a', 'b'] }, past('a', 'b'), undefined, []],
    ['exact, missed', { expect: ['a', 'b'] }, past('x'), undefined, []],
    ['exact, and not offered', { expect: ['a'] }, [], ['b'], []],
    ['exact, and never', { expect: ['a'], never: ['a'] }, [], undefined, []],
    ['in order', { expect: ['a', 'b'], match: 'in_order' }, past('x'), undefined, 'any'],
    ['before', { before: [['a', 'b']] }, [], ['a', 'b'], ['a']],
    ['before, done', { before: [['a', 'b']] }, [{ name: 'a', ok: false }], ['a', 'b'], 'any'],
    ['requires a success', { requires: { b: ['a'] } }, [{ name: 'a', ok: false }], ['a', 'b'], ['a']],
    ['at most', { at_most: { a: 1 } }, past('a'), ['a', 'b'], ['b']],
  ])('%s', (_name, rules, transcript, tools, expected) => {
    expect(legalNext(rules, transcript, tools)).toEqual(expected)
  })

  test('a call that is legal next breaks no rule, and every other does', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd')
    const names = fc.array(name, { maxLength: 4 })
    const rules = fc.record(
      {
        order: fc.uniqueArray(name),
        expect: names,
        match: fc.constantFrom('exact', 'prefix', 'in_order', 'any_order'),
        before: fc.array(fc.tuple(name, name), { maxLength: 2 }),
        requires: fc.dictionary(name, names, { maxKeys: 2 }),
        never: fc.uniqueArray(name, { maxLength: 1 }),
        at_most: fc.dictionary(name, fc.nat(2), { maxKeys: 2 }),
      },
      { requiredKeys: [] },
    ) as fc.Arbitrary<SequenceRules>
    fc.assert(
      fc.property(rules, fc.array(fc.record({ name, ok: fc.boolean() }), { maxLength: 6 }), (given, transcript) => {
        const tools = ['a', 'b', 'c', 'd']
        const legal = legalNext(given, transcript, tools)
        const automaton = new SequenceAutomaton(given)
        for (const call of transcript) automaton.advance(call)
        expect(legal === 'any' ? tools : legal).toEqual(tools.filter((tool) => automaton.violations(tool).length === 0))
      }),
    )
  })

  test('the comparison finds nothing exactly where the automaton goes through', () => {
    const names = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 5 })
    fc.assert(
      fc.property(names, names, (calls, expected) => {
        const automaton = new SequenceAutomaton({ expect: expected, match: 'prefix' })
        const passes = calls.every((name) => {
          const isLegal = automaton.violations(name).length === 0
          automaton.advance({ name })
          return isLegal
        })
        expect(compareCalls(calls, expected, 'prefix').length === 0).toBe(passes)
        expect(compareCalls(calls, expected, 'exact').length === 0).toBe(passes && automaton.due === 'none')
        const strictest = (['exact', 'in_order', 'any_order'] as const).map((match) => compareCalls(calls, expected, match).length === 0)
        expect(strictest).toEqual([...strictest].sort())
      }),
    )
  })
})

describe('legalNext on what it cannot know', () => {
  test('does not guess what is legal when calls are missing or cannot be read', () => {
    expect(() => legalNext({ at_most: { a: 1 } }, [{ type: 'item_reference' }], ['a'])).toThrow('kept elsewhere: item_reference')
    expect(() => legalNext({ at_most: { a: 1 } }, [5], ['a'])).toThrow('cannot be read: entry 1')
  })

  // Copied for every pair, this list took minutes.
  test('takes many rules for one tool in linear time', { timeout: 20_000 }, () => {
    const before = Array.from({ length: 200_000 }, (_, at): [string, string] => [`first_${at}`, 'last'])
    expect(legalNext({ before }, [])).toEqual([])
  })
})
