import { readYamlConfig } from '@stickler/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { yamlText } from './yaml-text.ts'

const readBack = (text: string): unknown =>
  readYamlConfig(
    `list:\n  - a: ${yamlText(text, '      ')}\n    b: 1\n`,
    'x',
    z.strictObject({ list: z.tuple([z.strictObject({ a: z.unknown(), b: z.literal(1) })]) }),
  ).value.list[0].a

test.each([
  '',
  'yes',
  'a',
  'null',
  '1',
  '1.5',
  '# no',
  'a: b',
  '- x',
  'a\nb',
  'a\n\nb\n',
  ' a\nb',
  'a \nb',
  'a\n',
  '\n',
  'a\n\n',
  '---\na',
  'a\n---\nb',
  'a\n# b',
  '{"x":1}',
  'a\tb\n\tc',
  'é\n\u2028',
  'ab cd',
  'Infinity',
  '0x1',
  'a\r\nb',
  '%TAG',
  '*x',
  '&x\ny',
  '```\ncode\n```',
])('%j', (text) => expect(readBack(text)).toBe(text))

test('any text is read back', () => {
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.constantFrom('a', 'b', ' ', '\n', '\t', ':', '#', '-', '"', "'", '\\', '|', '>', '{', '\u0085', '\u{1f600}', '.', '1'),
      }),
      (text) => {
        expect(readBack(text)).toBe(text)
      },
    ),
  )
})
