import { expect, it } from 'vitest'
import { csvLine } from './export-route.ts'

it.each([
  ['plain', 'plain'],
  ['a,b', '"a,b"'],
  ['a "b"', '"a ""b"""'],
  ['a\r\nb', '"a\r\nb"'],
  ['=1+1', `"'=1+1"`],
  ['+1', `"'+1"`],
  ['-1', `"'-1"`],
  ['@x', `"'@x"`],
  ['\t=1', `"'\t=1"`],
  ['\rx', `"'\rx"`],
  ['  \n=1', `"'  \n=1"`],
  ['\u0000=1', `"'\u0000=1"`],
  ['\uff1d1', `"'\uff1d1"`],
  ['1=1', '1=1'],
  ['', ''],
  [-1, '-1'],
  [Number.NaN, ''],
  [undefined, ''],
  [true, 'true'],
])('%j is written as %j', (value, written) => {
  expect(csvLine([value, 'x'])).toBe(`${written},x\r\n`)
})
