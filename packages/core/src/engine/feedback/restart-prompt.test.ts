import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { contract } from '../../catalogue.ts'
import { issue } from '../../contract/issue.ts'
import { defineValidator } from '../../contract/validator.ts'
import { scripted } from '../../testing/index.ts'
import { maxWords } from '../../validators/max-words.ts'
import { enforce, enforceStream } from '../enforce.ts'
import type { Message, Prompt } from '../runner.ts'
import { askAnew } from './restart-prompt.ts'

const image = { type: 'image_url', image_url: { url: 'data:,' } }
const system: Message = { role: 'system', content: 'S' }
const user: Message = { role: 'user', content: 'U', name: 'ann' }

test.each<[string, Prompt, Prompt]>([
  ['a text', 'Q', 'F\n\n\nQ'],
  [
    'the last user message',
    [system, user, { role: 'assistant', content: 'A' }, user],
    [system, user, { role: 'assistant', content: 'A' }, { ...user, content: 'F\n\n\nU' }],
  ],
  ['parts', [{ role: 'user', content: [image] }], [{ role: 'user', content: [{ type: 'text', text: 'F\n\n\n' }, image] }]],
  ['a conversation without a user', [system], [system, { role: 'user', content: 'F\n' }]],
  ['a message without content', [{ role: 'user', content: null }], [{ role: 'user', content: 'F\n' }]],
  ['nothing at all', [], [{ role: 'user', content: 'F\n' }]],
])('feedback stands before %s', (_, prompt, expected) => {
  expect(askAnew(prompt, 'F\n')).toEqual(expected)
})

const noBad = defineValidator({
  name: 'no_bad',
  summary: 'The answer does not say bad.',
  options: z.strictObject({ crash: z.boolean().default(false) }),
  codes: { BAD: { severity: 'error', when: 'It says bad.', fix: 'Say good.' } },
  instruct: () => 'Do not say bad.',
  prepare: ({ crash }) => ({
    *check({ text }) {
      for (const { index } of text.matchAll(/bad/g)) yield issue('BAD', `bad at\r\n${index}`, { span: { start: index, end: index + 3 } })
    },
    feedback(issues) {
      if (crash) throw new Error('no words')
      return `Pinned: ${issues.map(({ message }) => message).join('; ')}\n`
    },
    incremental: () => {
      let text = ''
      return {
        push(chunk) {
          text += chunk
          const at = text.indexOf('bad')
          if (at < 0) return { safe: Math.max(0, text.length - 2) }
          return { safe: at, failure: { at: at + 3, issues: [issue('BAD', `bad at ${at}`)] } }
        },
      }
    },
  }),
})

describe('asking anew', () => {
  const anew = contract({ checks: [noBad({})], retries: 1, askAgain: 'anew' })

  test('prepends the validator’s own words, leaves the rejected answer out, and starts from the first session', async () => {
    const runner = scripted([{ text: 'bad', session: 'second' }, 'good'])
    const outcome = await enforce({ contract: anew, runner, prompt: 'Q', session: 'first' })
    expect(outcome).toMatchObject({ status: 'valid', text: 'good', attempts: 2 })
    expect(runner.calls.map(({ kind, session, prompt }) => ({ kind, session, prompt }))).toEqual([
      { kind: 'run', session: 'first', prompt: 'Q' },
      { kind: 'run', session: 'first', prompt: 'Pinned: bad at 0\n\n\nQ' },
    ])
  })

  test('keeps the engine’s words for other validators, and for one that finds none', async () => {
    const both = contract({ checks: [noBad({}), maxWords({ limit: 1 })], retries: 1, askAgain: 'anew' })
    const runner = scripted(['bad bad', 'good'])
    await enforce({ contract: both, runner, prompt: 'Q' })
    expect(runner.calls[1]?.prompt).toMatch(/^Pinned: bad at 0; bad at 4\n\nIMPORTANT: .*\n\n\*\*MAX_WORDS\*\*[\s\S]*Q$/)
    const crashing = scripted(['bad', 'good'])
    await enforce({ contract: contract({ checks: [noBad({ crash: true })], askAgain: 'anew' }), runner: crashing, prompt: 'Q' })
    expect(crashing.calls[1]?.prompt).toMatch(/^IMPORTANT: [\s\S]*\*\*BAD\*\*[\s\S]*Q$/)
  })

  test('says little about ten thousand issues', async () => {
    const runner = scripted(['bad'.repeat(10_000), 'good'])
    await enforce({ contract: anew, runner, prompt: 'Q' })
    expect(String(runner.calls[1]?.prompt).length).toBeLessThan(3000)
  })

  test('is no way to go on with a stream that has begun: it is continued', async () => {
    const runner = scripted([{ text: 'This is bad.', chunkSize: 3 }, 'This is good.'])
    const stream = enforceStream({ contract: anew, runner, prompt: 'Q' })
    let shown = ''
    for await (const piece of stream) shown += piece
    expect(shown).toBe('This is good.')
    expect(runner.calls[0]?.aborted).toBe(true)
    expect(runner.calls[1]).toMatchObject({
      kind: 'continue',
      feedback: expect.stringMatching(/^Pinned: bad at 8\n\n\nThe beginning of your answer has been delivered[\s\S]*\nThis is\n/),
    })
  })

  test('a stream that is held is stopped early where the contract says so', async () => {
    const held = contract({ checks: [noBad({})], retries: 1, askAgain: 'anew', stream: 'hold', stop: 'early' })
    const runner = scripted([{ text: `This is bad.${' more'.repeat(50)}`, chunkSize: 3 }, 'Another answer.'])
    const stream = enforceStream({ contract: held, runner, prompt: 'Q' })
    const pieces: string[] = []
    for await (const piece of stream) pieces.push(piece)
    expect(pieces.join('')).toBe('Another answer.')
    expect(runner.calls[0]).toMatchObject({ aborted: true, taken: 12 })
    expect(runner.calls[1]?.prompt).toBe('Pinned: bad at 8\n\n\nQ')
  })
})
