import { describe, expect, test } from 'vitest'
import { countSources, sourcesUnknown } from './sources.ts'

describe('the number of sources', () => {
  test.each<[string, Record<string, unknown>, number | undefined]>([
    ['a list', { sources: ['a', 'b'] }, 2],
    ['a number', { sources: 0 }, 0],
    ['a list in the context of a JSON line', { context: { sources: ['a'] } }, 1],
    ['a number in the context of a JSON line', { context: { sources: 3 } }, 3],
    ['beside the text it counts more', { sources: 1, context: { sources: 3 } }, 1],
    ['null says nothing', { sources: null, context: { sources: 3 } }, 3],
    ['null says nothing there either', { context: { sources: null } }, 7],
    ['a context that is a text', { context: 'sources' }, 7],
    ['a context that is null', { context: null }, 7],
    ['a context that is a list', { context: [1] }, 7],
    ['nothing', {}, 7],
    ['a number beyond the one of the options', { sources: 100 }, 7],
    ['a list beyond the one of the options', { sources: Array.from({ length: 8 }) }, 7],
    ['a number beyond it in the context of a JSON line', { context: { sources: 8 } }, 7],
    ['a text', { sources: '2' }, undefined],
    ['a text beside a good one', { sources: '2', context: { sources: 2 } }, undefined],
    ['a fraction in the context of a JSON line', { context: { sources: 1.5 } }, undefined],
  ])('%s', (_name, context, expected) => {
    expect(countSources(context, 7)).toBe(expected)
  })

  test('without the option the context alone decides', () => {
    expect(countSources({ sources: 100 }, undefined)).toBe(100)
  })
})

test.each<[Record<string, unknown>, string]>([
  [{}, 'the number of sources is unknown'],
  [{ context: {} }, 'the number of sources is unknown'],
  [{ sources: '2' }, 'neither a list nor a whole number'],
  [{ context: { sources: -1 } }, 'neither a list nor a whole number'],
])('says what is missing: %j', (context, words) => {
  expect(sourcesUnknown(context).message).toContain(words)
})
