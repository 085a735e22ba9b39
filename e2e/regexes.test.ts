import { expect, test } from 'vitest'
import { findRegexes } from '../tools/regexes/find.mjs'
import { complaintOf } from '../tools/regexes/judge.mjs'

test.each([
  ['^(a|a)*$', 'exponential'],
  ['\\s+$', '2nd degree polynomial'],
  ['^\\d*\\.?\\d*$', '2nd degree polynomial'],
])('%s is found', (source, degree) => expect(complaintOf(source, '')).toContain(degree))

test.each(['^\\s+', '^[a-z]+@[a-z]+$', '\\p{Lu}+'])('%s is linear', (source) => expect(complaintOf(source, 'u')).toBeUndefined())

test('literals and constant texts are found, with the reason beside them', () => {
  const found = findRegexes(
    [
      "const names = 'a|b'",
      "const all: RegExp[] = [/x+/g, new RegExp('(?:' + names + ')+$', 'i')]",
      '// backtracks: at most 80 characters',
      'const bounded = /\\s+$/',
      'const again = new RegExp(bounded)',
      'const later = (text: string) => new RegExp(text)',
      "const text = 'no /regex+/ at all'",
    ].join('\n'),
    'a.ts',
  )
  expect(found.map(({ source, flags, line, excused }) => [source, flags, line, excused])).toEqual([
    ['x+', 'g', 2, false],
    ['(?:a|b)+$', 'i', 2, false],
    ['\\s+$', '', 4, true],
    [undefined, '', 6, false],
  ])
})

test('a reason behind other code is not one for the next line', () => {
  const found = findRegexes('const a = /\\s+$/ // backtracks: short\nconst b = /\\s+$/\n  // backtracks: short\nconst c = /\\s+$/', 'a.ts')
  expect(found.map(({ excused }) => excused)).toEqual([true, false, true])
})
