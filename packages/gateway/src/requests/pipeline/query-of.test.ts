import type { Message } from '@stickler/core'
import { contentText } from '@stickler/core/internal'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { promptFor, queryOf } from './pipeline-run.ts'

const picture = { type: 'image_url', image_url: { url: 'data:,x' } }

test.each<[string, Message[], string, number, number]>([
  ['one question', [{ role: 'user', content: 'Why?' }], 'Why?', 0, 0],
  ['nobody asks', [{ role: 'system', content: 'Help.' }], '', 1, 0],
  [
    'an answer follows',
    [
      { role: 'user', content: 'Why?' },
      { role: 'assistant', content: 'So.' },
    ],
    'Why?',
    0,
    1,
  ],
  [
    'parts',
    [
      {
        role: 'user',
        content: [{ type: 'text', text: 'What is a' }, picture, { type: 'text', text: '' }, { type: 'text', text: 'loop?' }],
      },
    ],
    'What is a\nloop?',
    0,
    0,
  ],
])('finds the query: %s', (_case, messages, query, history, rest) => {
  const asked = queryOf(messages)
  expect([asked.query, asked.history.length, asked.rest.length]).toEqual([query, history, rest])
})

const part = fc.oneof(
  fc.record({ type: fc.constant('text'), text: fc.string({ minLength: 1 }) }),
  fc.constant(picture),
  fc.record({ type: fc.constant('text'), text: fc.string({ minLength: 1 }), cache_control: fc.constant({ type: 'ephemeral' }) }),
)
const message: fc.Arbitrary<Message> = fc.record({
  role: fc.constantFrom('system', 'user', 'assistant', 'tool'),
  content: fc.oneof(fc.string(), fc.array(part)),
})

test('whatever the client sent beside the text of its question stays, in its order', () => {
  fc.assert(
    fc.property(fc.array(message), (messages) => {
      const asked = queryOf(messages)
      const prepared: Message[] = [{ role: 'system', content: 'Rules.' }, ...asked.history, { role: 'user', content: 'PREPARED' }]
      const prompt = promptFor(asked, prepared)
      if (asked.asking === undefined) return
      expect(prompt.slice(asked.history.length + 2)).toEqual(asked.rest)
      const question = prompt[asked.history.length + 1]
      if (asked.query !== '') expect(contentText(question?.content)).toBe('PREPARED')
      const others = (content: unknown) => (Array.isArray(content) ? content.filter((one) => !('text' in one)) : [])
      expect(others(question?.content)).toEqual(others(asked.asking.content))
    }),
  )
})
