import { expect, test } from 'vitest'
import { contract } from '../../catalogue.ts'
import { check } from '../../engine/check/check.ts'
import { settle } from '../../engine/repair/settle.ts'
import { assertStreamable } from '../../testing/assert-streamable.ts'
import { sensitive } from './index.ts'
import { sensitiveKinds } from './kinds.ts'

const kinds = [...sensitiveKinds]
const redacting = contract({ checks: [sensitive({ kinds, redact: true })], retries: 0 })
const strict = contract({ checks: [sensitive({ kinds, redact: true, placeholders: 'reject' })], retries: 0 })

test.each([
  'your_email@gmail.com',
  'your-email@gmail.com',
  'your.name@company.com',
  'youremail@yahoo.co.uk',
  'Your.Email@Provider.com',
  'admin-email@gmail.com',
  'recipient_email@acme.org',
  'user@example.com',
  'jane@example.co.uk',
  'test123@gmail.com',
  'user@yourdomain.com',
  'jane@your-company.com',
  'firstname.lastname@acme.org',
  'max.mustermann@web.de',
  'deine.email@gmx.de',
  '555-0100-is-not-one jane@sub.example.org',
  '(415) 555-0123',
  '415-555-0199',
  '+1 415 555 0100',
  '+1 (555) 123-4567',
  '(555) 123-4567',
  '+44 7700 900123',
  '07700 900 123',
  '020 7946 0018',
  '+33 6 39 98 12 34',
  '06 39 98 12 34',
  '030 23125 123',
  '+49 30 23125 456',
  'host 127.0.0.1 or 0.0.0.0, mask 255.255.255.0',
  'see 192.0.2.17, 198.51.100.4 and 203.0.113.99',
  'IPv6 ::1 and 2001:db8::8a2e:370:7334',
])('a placeholder is allowed unless placeholders are rejected: %s', async (text) => {
  expect((await check(redacting, text)).issues).toEqual([])
  await assertStreamable(redacting, text, [1, 3])
  expect((await check(strict, text)).issues.length).toBeGreaterThan(0)
  await assertStreamable(strict, text, [1, 3])
})

test.each([
  ['youri@acme.com', '[EMAIL]'],
  ['joemail@acme.com', '[EMAIL]'],
  ['user@acme.com', '[EMAIL]'],
  ['mytholmes@gmail.com', '[EMAIL]'],
  ['testa.rossa@gmail.com', '[EMAIL]'],
  ['jane@notexample.com', '[EMAIL]'],
  ['jane@domain-of-ours.com', '[EMAIL]'],
  ['4111111111111111@example.com', '[CARD]@example.com'],
  ['(415) 555-0223', '[PHONE]'],
  ['+49 415 555 0100', '[PHONE]'],
  ['030 23126 123', '[PHONE]'],
  ['07700 800 123', '[PHONE]'],
  ['192.0.20.17', '[IP]'],
])('what only looks like a placeholder is found: %s', async (text, expected) => {
  expect((await settle(redacting, text)).text).toBe(expected)
  await assertStreamable(redacting, text, [1, 3])
})

test.each([
  ['(123) 456-7890', '[PHONE]'],
  ['+1 (123) 456-7890', '[PHONE]'],
  ['Call (123)456-7890 or (212) 736 5000.', 'Call [PHONE] or [PHONE].'],
  ['123-456-7890', '[PHONE]'],
  ['[a@b.com](mailto:a@b.com)', '[EMAIL]'],
  ['Mail [jane@other.org](mailto:jane@other.org?subject=Hi), please.', 'Mail [EMAIL], please.'],
  ['[jane@other.org](<mailto:jane@other.org>)', '[EMAIL]'],
  ['[jane.with.a.very.long.name.indeed@other.org](mailto:jane.with.a.very.long.name.indeed@other.org).', '[EMAIL].'],
  ['[+49 30 1234567](tel:+49301234567)', '[PHONE]'],
  ['[jane@other.org](https://other.org) [jane@other.org][1]', '[[EMAIL]](https://other.org) [[EMAIL]][1]'],
  ['[Mail us](mailto:jane@other.org)', '[Mail us](mailto:[EMAIL])'],
  ['[jane@other.org](mailto:jane@other.org', '[[EMAIL]](mailto:[EMAIL]'],
  ['https://x.org/?card=4111111111111111&tel=415-555-2671#ssn=123-45-6789', 'https://x.org/?card=[CARD]&tel=[PHONE]#ssn=[SSN]'],
  ['https://x.org/a=4111111111111111 https://t.me/+4915112345678', 'https://x.org/a=[CARD] https://t.me/[PHONE]'],
  ['https://4111111111111111.x.org https://x.org/jane@other.org', 'https://[CARD].x.org https://x.org/[EMAIL]'],
  [`https://x.org/sk-${'proj-Ab3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6'}`, 'https://x.org/[API KEY]'],
  ['https://x.org/page 415-555-2671', 'https://x.org/page [PHONE]'],
  ['and/or 4111111111111111', 'and/or [CARD]'],
  ['01 23 45 67 89 de 9h', '[PHONE] de 9h'],
  ['BE 02 12 34 56 78', 'BE [PHONE]'],
])('found: %s', async (text, expected) => {
  expect((await settle(redacting, text)).text).toBe(expected)
  await assertStreamable(redacting, text, [1, 3, 7])
})

test.each([
  'DOI: 10.1007/s00415-022-10421-1, doi:10.1080/415-555-2671 and 10.1016/4111111111111111.',
  'https://doi.org/10.1016/j.neulet.415.555.2671',
  'https://www.x.org/2021/02/22/415-555-2671/4111111111111111.html',
  'See www.x.org/a/123-45-6789, x.org/415-555-2671 and [it](https://x.org/415-555-2671).',
  '<https://x.org/posts/4111111111111111>',
  '0000  08 00 45 00 00 34 09 ef 40 00 36 06',
  '08 00 45 00 00 EF 40',
  'C0 A8 01 02 01 12 13 BB D0 9F',
  '9A 01 02 03 05 06',
  '0800 4500 0034 09ef 4000',
])('right: %s', async (text) => {
  expect((await settle(redacting, text)).text).toBe(text)
  await assertStreamable(redacting, text, [1, 3, 7])
})
