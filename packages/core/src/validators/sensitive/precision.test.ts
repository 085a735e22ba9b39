import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contract } from '../../catalogue.ts'
import { settle } from '../../engine/repair/settle.ts'
import { assertStreamable } from '../../testing/assert-streamable.ts'
import { sensitive } from './index.ts'

const redacting = contract({ checks: [sensitive({ redact: true })], retries: 0 })
const letters = 'QwErTyUiOpAsDfGhJkLzXcVbNmQwErTyUi'

test.each([
  ['**jane42**@other.org', '**[EMAIL]'],
  ['*jane42*@other.org', '*[EMAIL]'],
  ['jane4**2**@other.org', '[EMAIL]'],
  ['jane**42**@other.org', '[EMAIL]'],
  ['jane@other2**.org**', '[EMAIL]**'],
  ['jane@**2other**.org', '[EMAIL]'],
  ['`jane`@other.org', '`[EMAIL]'],
  ['**+49** 30 12345678', '**[PHONE]'],
  ['+49 **30** 12345678', '[PHONE]'],
  ['+33 1 40 00 00 00, 01 40 20 50 50 and +49 30 000 000', '[PHONE], [PHONE] and [PHONE]'],
  ['4111 **1111** 1111 1111', '[CARD]'],
  ['**Nr**4111 1111 1111 1111', '**Nr**[CARD]'],
  ['1234**4111111111111111**', '1234**[CARD]**'],
  ['**Tel**+49 30 1234567', '**Tel**[PHONE]'],
  ['jane<!--x-->@other.org', '[EMAIL]'],
  ['jane<time></time>@other.org', '[EMAIL]'],
  ['jane<span class="a1"></span>@other.org', '[EMAIL]'],
  ['<a href="mailto:jane@other.org">x</a>', '<a href="mailto:[EMAIL]">x</a>'],
  ['<!-- 4111111111111111 --><span title="+49 30 1234567">', '<!-- [CARD] --><span title="[PHONE]">'],
  [`${'x'.repeat(70)}.jane@other.org`, `${'x'.repeat(70)}.[EMAIL]`],
  ['{"n": -4111111111111111, "m": [4111111111111111.0,-4111111111111111e0]}', '{"n": "[CARD]", "m": ["[CARD]","[CARD]"]}'],
  ['{"n": 4.111111111111111e15, "m": 4111111111111111E+00}', '{"n": "[CARD]", "m": "[CARD]"}'],
  [`hf_${letters}`, '[API KEY]'],
  [`ghp_${letters}c1`, '[API KEY]'],
  [`AKIA${'QYLPMN5HHXVFGZLA'} AKIA${'QYLPMNAHHXVFGZLA'}`, '[API KEY] [API KEY]'],
  [`sk-${'aaaaaaaa1234567890bcdefgh'}`, '[API KEY]'],
  ['jane@other.org(work) me@163.com', '[EMAIL](work) [EMAIL]'],
  ['https://x.org?mail=jane@other.org', 'https://x.org?mail=[EMAIL]'],
])('%s becomes %s', async (text, expected) => {
  expect((await settle(redacting, text)).text).toBe(expected)
  await assertStreamable(redacting, text, [1, 3, 7])
})

test.each([
  'this@MainActivity.finish() super@Outer.name.length y = W@x.sum(axis=0) return@forEach.value',
  'icon@2x.png getty@tty1.service wg-quick@wg0.service lodash@4.17.21.tgz pkg@1.2.3.zip',
  'postgres://user:pass@db.acme.org/x redis://:pw@cache.acme.org amqps://u:p!s$@mq.acme.org',
  'from +10 000 000 to +20 000 000 EUR, +1 250 000 000 USD, +10.000.000',
  'x = y +1234567890; n += z +12345678901',
  'class="sk-estimator-id-123 sk-col-md-6-offset-lg-3"',
  'AKIAIOSFODNN7EXAMPLE AKIAXXXXXXXXXXXXXXXX hf_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx ghp_your0token0goes0here0aaaaaaaaaaaaaa sk-xxxxxxxx1234',
  '0010  05 34 12 76 08 91 22 33\n0040  34 12 76 08 91 22\n  0010 4500 0034 3412\n01 23 45 67 89 ab cd ef',
  '2**10 4*4*4 `a`.`b` List<b> x{**k} {"n": -411111111111111, "m": 4.5e15}',
])('right: %s', async (text) => {
  expect((await settle(redacting, text)).text).toBe(text)
  await assertStreamable(redacting, text, [1, 5])
})

test('every key of an exact form is found', async () => {
  const of = (alphabet: string, length: number) => fc.string({ unit: fc.constantFrom(...alphabet), minLength: length, maxLength: length })
  const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
  const all = `${upper}${upper.toLowerCase()}0123456789`
  const key = fc.oneof(
    of(`${upper}234567`, 16).map((rest) => `AKIA${rest}`),
    of(all, 34).map((rest) => `hf_${rest}`),
    of(all, 36).map((rest) => `ghp_${rest}`),
  )
  await fc.assert(
    fc.asyncProperty(key, async (value) => {
      fc.pre(!/(.)\1{3}/.test(value))
      expect((await settle(redacting, `It is ${value}.`)).text).toBe('It is [API KEY].')
    }),
    { numRuns: 100 },
  )
})
