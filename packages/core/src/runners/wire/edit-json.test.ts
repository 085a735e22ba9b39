import fc from 'fast-check'
import { expect, test } from 'vitest'
import { elementSources, memberSource } from './edit-json.ts'

test.each<[string, string, string | undefined]>([
  ['{"a":12345678901234567890}', 'a', '12345678901234567890'],
  ['{ "a" : { "n" : 1.0 } , "b":2}', 'a', '{ "n" : 1.0 }'],
  ['{"a":1,"a":[1e400,-0]}', 'a', '[1e400,-0]'],
  ['{"\\u0061":"}\\"{"}', 'a', '"}\\"{"'],
  ['\n{\t"x":{"a":1},\r\n"a":true\n}', 'a', 'true'],
  ['{"b":1}', 'a', undefined],
  ['{}', 'a', undefined],
  ['["a",1]', 'a', undefined],
  ['"a"', 'a', undefined],
])('%s', (json, name, source) => {
  expect(memberSource(json, name)).toBe(source)
})

test('sources say what was parsed, however they are spaced', () => {
  const spaces = fc.constantFrom(undefined, 1, '\t', '\r\n ')
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue()), spaces, (object, list, space) => {
      const written = JSON.stringify(object, null, space)
      const read = JSON.parse(written)
      for (const name of Object.keys(read)) expect(JSON.parse(memberSource(written, name) ?? '')).toEqual(read[name])
      const elements = JSON.stringify(list, null, space)
      expect(elementSources(elements).map((source) => JSON.parse(source))).toEqual(JSON.parse(elements))
    }),
  )
})

test('depth and length cost no more than themselves', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  expect(memberSource(`{"a":${deep}}`, 'a')).toBe(deep)
  expect(elementSources(`[${'"\\\\",'.repeat(100_000)}1]`)).toHaveLength(100_001)
})
