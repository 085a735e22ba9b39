import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SensitiveFinder } from './finder.ts'
import { sensitiveKinds } from './kinds.ts'
import type { Before } from './plain-text.ts'
import { SensitiveStream } from './stream.ts'

/** How many characters are searched for each one of a text that comes one by one. */
function searchedPerCharacter(text: string): number {
  const finder = new SensitiveFinder({ kinds: sensitiveKinds, allowed: [] })
  let searched = 0
  const counting = {
    search(part: string, before: Before) {
      searched += part.length + before.shown.length + before.written.length
      return finder.search(part, before)
    },
  }
  const stream = new SensitiveStream(counting, {
    edit: ({ span }, before) => ({ rule: '', class: 'lossy', span, before, after: '' }),
    issue: () => ({}) as never,
    isFinal: false,
  })
  for (const character of text) stream.push(character)
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
