import { expect, test } from 'vitest'
import { contract } from '../../catalogue.ts'
import { enforce, enforceStream } from '../../engine/enforce.ts'
import { settle } from '../../engine/repair/settle.ts'
import { scripted } from '../../runners/scripted.ts'
import { sensitive } from './index.ts'
import { sensitiveKinds } from './kinds.ts'

const rules = contract({ checks: [sensitive({ kinds: [...sensitiveKinds], allowFromPrompt: true, redact: true })], retries: 0 })
const answer = 'Write to jane@other.org or call +49 30 1234567.'

test.each<[string, unknown, string]>([
  ['a text', 'I am Jane@Other.org, 030/123 45 67', answer],
  [
    'messages of the user',
    [
      { role: 'user', content: 'Mail jane@other.org' },
      { role: 'assistant', content: 'x' },
    ],
    'Write to jane@other.org or call [PHONE].',
  ],
  [
    'parts of a message',
    [{ role: 'user', content: [{ type: 'text', text: 'Ring (030) 1234567' }] }],
    'Write to [EMAIL] or call +49 30 1234567.',
  ],
  [
    'what the system says',
    [
      { role: 'system', content: answer },
      { role: 'user', content: 'Who?' },
    ],
    'Write to [EMAIL] or call [PHONE].',
  ],
  [
    'what a tool gave',
    [
      { role: 'user', content: 'Who?' },
      { role: 'tool', tool_call_id: 'a', content: answer },
    ],
    'Write to [EMAIL] or call [PHONE].',
  ],
  [
    'what the model said',
    [
      { role: 'assistant', content: answer },
      { role: 'user', content: 'Who?' },
    ],
    'Write to [EMAIL] or call [PHONE].',
  ],
])('%s', async (_name, prompt, expected) => {
  const outcome = await enforce({ contract: rules, runner: scripted([answer]), prompt: prompt as string })
  expect(outcome.text).toBe(expected)
  const stream = enforceStream({ contract: rules, runner: scripted([{ text: answer, chunkSize: 3 }]), prompt: prompt as string })
  let shown = ''
  for await (const text of stream) shown += text
  expect(shown).toBe(expected)
  expect((await settle(rules, answer, { context: { prompt } })).text).toBe(expected)
})

test.each([
  ['4155552671', '(415) 555-2671', true],
  ['415 555 2671', '+1 415-555-2671', true],
  ['+1 415 555 2671', '1-415-555-2671', true],
  ['0049 30 1234567', '(030) 1234567', true],
  ['+49 (0)30 1234567', '030 1234567', true],
  ['+49 30 1234567', '+33 30 1234567', false],
  ['+49 30 1234567', '030 1234568', false],
  ['my card is 4111-1111-1111-1111', '4111 1111 1111 1111', true],
  ['DE89370400440532013000', 'DE89 3704 0044 0532 0130 00', true],
  ['2a00:1450:4001:082a:0:0:0:200E', '2a00:1450:4001:82a::200e', true],
  ['jane&#64;other.org', 'JANE@other.org', true],
  ['@other.org', 'jane@other.org', false],
  ['jane@other.org.evil.com', 'jane@other.org', false],
  ['call 94155552671', '415-555-2671', false],
])('a user who wrote %s reads %s: %s', async (asked, said, isAllowed) => {
  const { issues, text } = await settle(rules, said, { context: { question: asked } })
  expect([issues, text === said]).toEqual([[], isAllowed])
})

test('without the option nothing is allowed for the prompt', async () => {
  const usual = contract({ checks: [sensitive({ redact: true })], retries: 0 })
  const outcome = await enforce({ contract: usual, runner: scripted([answer]), prompt: answer })
  expect(outcome.text).toBe('Write to [EMAIL] or call [PHONE].')
})
