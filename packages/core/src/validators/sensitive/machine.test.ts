import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SensitiveFinder } from './finder.ts'
import { sensitiveKinds } from './kinds.ts'
import { SensitiveMachine } from './machine.ts'
import { type Before, nothing } from './plain-text.ts'

const ignore = (): void => undefined

/** How many characters are searched for each one of a text that comes one by one. */
function searchedPerCharacter(text: string): number {
  const finder = new SensitiveFinder({ kinds: sensitiveKinds, allowed: [] })
  let searched = 0
  const counting = {
    find: finder.find,
    search(part: string, before: Before) {
      searched += part.length + (before.readings[0] ?? '').length + before.written.length
      return finder.search(part, before)
    },
    skip(part: string, before: Before) {
      searched += part.length
      return finder.skip(part, before)
    },
  }
  const machine = new SensitiveMachine(counting, ignore, ignore)
  for (const character of text) machine.read(character, 0, false)
  return searched / text.length
}

/** What is searched with every chunk: 512 characters that are held, and what is known of those before them. */
const most = 600

const openers = ['', 'eyJ', 'sk-', '-----BEGIN PRIVATE KEY-----\n', 'jane@', '+49', 'DE89', '\\', '&#']
const units = [
  'a',
  'A',
  '4',
  '@',
  '.',
  '_',
  '-',
  ' ',
  '\n',
  '\\',
  '\u200b',
  '\u{e0041}',
  '&shy;',
  '&#8203;',
  '<b        >',
  '<b>',
  '*',
  '~',
  '%',
  '\t',
  '\u24b6',
  '\u2013',
  '\u{1d7cf}',
]

test.each(['eyJ|a<b        >', 'eyJ|eyJ.<b        >', 'sk-|a<!--       -->', 'eyJ|a\u200b', '|x\u200b', '|\u200b', 'eyJ|\u200b \u200b'])(
  '%s repeated is searched in linear time',
  (shape) => {
    const [opener = '', unit = ''] = shape.split('|')
    expect(searchedPerCharacter(opener + unit.repeat(20_000 / unit.length))).toBeLessThan(most)
  },
)

test('whatever is repeated is searched in linear time', () => {
  fc.assert(
    fc.property(fc.constantFrom(...openers), fc.array(fc.constantFrom(...units), { minLength: 1, maxLength: 5 }), (opener, some) => {
      const unit = some.join('')
      expect(searchedPerCharacter(opener + unit.repeat(3000 / unit.length))).toBeLessThan(most)
    }),
    { numRuns: 25 },
  )
})

test.each([
  'In 1990, 12 of 45 (or 1 in 4) people had 2.5 cars at 10:30 (UTC). ',
  '\n1. One or 2; "3" and 4/5 of them.\n2) Two, $5 each\n',
  '1. **Bold**: x1 + y2 - 50% of get_longest_name_of(0) × 3, 10-15\n---\n── std\n',
])('%j is not searched: words and numbers are short or plain', (text) => {
  expect(searchedPerCharacter(text.repeat(5))).toBeLessThan(1)
})

test.each([
  'jane@oth\u3002&#x65;r.org',
  'jane@oth\u3002\\u0065r.org',
  'jane@oth**\u{1d41e}r.org',
  '+49 30 1234567![](x y)a@b.io',
  '\u24b64111111111111111\u24d0',
])('%s is found in its units as in one piece', (value) => {
  const text = `${value} and so on`
  const finder = new SensitiveFinder({ kinds: sensitiveKinds, allowed: [] })
  const found: unknown[] = []
  let held = ''
  let settled = 0
  let before: Before = nothing
  for (const unit of text.split('')) {
    const searched = finder.search(held + unit, before)
    for (const { kind, span } of searched.places) found.push({ kind, span: { start: settled + span.start, end: settled + span.end } })
    held = (held + unit).slice(searched.open)
    settled += searched.open
    before = searched.before
  }
  expect(found).toEqual(finder.find(text))
  expect(found).toHaveLength(1)
})

test.each([
  '"\\n4111 1111 1111 1111',
  '-\\nDE89370400440532013000',
  'xoxb-NL*abcdefghijklmnopqrstuvwxyz0123456789',
  'eyJhbGciOiJI*.eyJzdWIi',
  'in 5, (0170) 1234567',
  '2 +49 170 1234567',
  '$_jane@acme.org_jane@acme.org078-05-1120',
  '__jane@acme.org__%40',
])('%s is found in a stream as in one piece', (value) => {
  const text = `${value} and so on`
  const finder = new SensitiveFinder({ kinds: sensitiveKinds, allowed: [] })
  for (const size of [1, 2, 3, 5]) {
    const found: unknown[] = []
    const machine = new SensitiveMachine(finder, (place) => found.push(place), ignore)
    for (let at = 0; at < text.length; at += size) machine.read(text.slice(at, at + size), at, false)
    machine.read('', text.length, true)
    expect(found).toEqual(finder.find(text))
    expect(found).toHaveLength(1)
  }
})
