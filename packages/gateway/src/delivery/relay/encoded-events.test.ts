import { MadeEvents } from '@stickler/core/internal/relay'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { processorMs } from '../../../../../tools/tests/processor-ms.ts'
import { answeringEvents } from '../../testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'
import { type ApiName, ask, dataOf, type WireReply } from '../../testing/wire.ts'

const yaml = `
upstreams:
  - { name: up, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0, apis: [chat] }
contracts:
  verified: { checks: [sensitive], retries: 0 }
  held: { checks: [{ max_words: { limit: 100 } }], stream: hold, retries: 0 }
  passed: { checks: [{ max_words: { limit: 100 } }], stream: pass, retries: 0 }
  few: { checks: [{ max_words: { limit: 3 } }], stream: hold, retries: 0 }
routes:
  - { model: plain, upstream: up }
  - { model: verified, upstream: up, contract: verified }
  - { model: held, upstream: up, contract: held }
  - { model: passed, upstream: up, contract: passed }
  - { model: few, upstream: up, contract: few, errorsAs: text }
`
let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
})
afterAll(() => gateway.close())

type Said = readonly ['text' | 'reasoning', string]

const chunk = (delta: object, index = 0, finish: string | null = null) => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index, delta, finish_reason: finish }],
})
const spoken = (said: readonly Said[]) => [
  ...said.map(([kind, text]) => chunk({ [kind === 'text' ? 'content' : 'reasoning_content']: text })),
  chunk({}, 0, 'stop'),
]

/** What a client of another API than the provider's reads, in order; pieces of one kind are one. */
function readOf(api: ApiName, reply: WireReply): Said[] {
  const read: [Said[0], string][] = []
  const add = (kind: Said[0], text: unknown): void => {
    const last = read.at(-1)
    if (typeof text !== 'string' || text === '') return
    if (last?.[0] === kind) last[1] += text
    else read.push([kind, text])
  }
  for (const { type, delta } of dataOf(reply) as { type?: string; delta?: unknown }[]) {
    const { text, thinking } = (typeof delta === 'object' ? delta : {}) as { text?: unknown; thinking?: unknown }
    if (api === 'messages') {
      add('reasoning', thinking)
      add('text', text)
    } else add(type === 'response.output_text.delta' ? 'text' : 'reasoning', String(type).endsWith('.delta') ? delta : '')
  }
  return read
}

const joined = (said: readonly Said[]): Said[] =>
  said.reduce<[Said[0], string][]>((all, [kind, text]) => {
    const last = all.at(-1)
    if (last?.[0] === kind) last[1] += text
    else all.push([kind, text])
    return all
  }, [])

const pieces = fc.array(
  fc.tuple(fc.constantFrom<Said[0]>('text', 'reasoning'), fc.constantFrom('one ', 'two', ', three', ' *four*', '\n\n', 'x'.repeat(300))),
  { minLength: 1, maxLength: 8 },
)

describe.each<ApiName>(['messages', 'responses'])('what is made for a client of %s', (api) => {
  test.each(['plain', 'verified', 'held', 'passed'])('keeps the order in which it came, however the stream was cut: %s', async (model) => {
    await fc.assert(
      fc.asyncProperty(pieces, fc.constantFrom(undefined, 40, 5000), async (said, splitEvery) => {
        // What is white space until then is not an answer yet.
        const all: Said[] = [['text', 'First. '], ...said]
        gateway.upstream.enqueue(answeringEvents(spoken(all), splitEvery === undefined ? {} : { framing: { splitEvery } }))
        expect(readOf(api, await ask(gateway, api, { model, stream: true }))).toEqual(joined(all))
      }),
      { numRuns: 12 },
    )
  })
})

test('a choice that is kept beside an error has all its text', async () => {
  const chunks = [
    chunk({ content: 'Good words.' }, 0),
    chunk({ content: 'Far too many words for it.' }, 1),
    chunk({}, 0, 'stop'),
    chunk({}, 1, 'stop'),
  ]
  gateway.upstream.enqueue(answeringEvents(chunks))
  const reply = await ask(gateway, 'chat', { model: 'few', stream: true, fields: { n: 2 } })
  type Chunk = { choices: { index: number; delta: { content?: string }; finish_reason: string | null }[] }
  const choices = (dataOf(reply) as Chunk[]).flatMap((one) => one.choices)
  const textOf = (index: number) => choices.flatMap((one) => (one.index === index ? [one.delta.content ?? ''] : [])).join('')
  expect(textOf(0)).toBe('Good words.')
  expect(textOf(1)).toContain('MAX_WORDS')
  expect(reply.body).not.toContain('Far too many')
})

/** The tokens that are shown with each text. */
function tokensOf(tokens: readonly string[], texts: readonly string[], isJudged = true): readonly (readonly unknown[])[] {
  const events = new MadeEvents(0, false, false)
  events.push({ type: 'logprobs', logprobs: { content: tokens.map((token) => ({ token })) } })
  return texts.map((text) => (events.logprobs?.take(text, isJudged)?.content ?? []).map((entry) => (entry as { token: unknown }).token))
}

test.each<readonly [tokens: readonly string[], texts: readonly string[], shown: readonly (readonly string[])[]]>([
  [['do', ' not', ' pay'], ['do not pay'], [['do', ' not', ' pay']]],
  [['pay', 'do'], ['do not pay'], [['pay']]],
  [
    ['a', 'a', 'b'],
    ['a b', ' a b'],
    [['a'], ['a', 'b']],
  ],
  [
    ['a', ' a', 'b', 'c'],
    ['a a', 'bc'],
    [
      ['a', ' a'],
      ['b', 'c'],
    ],
  ],
  [
    ['a', 'b', 'a'],
    ['ab', 'c'],
    [['a', 'b'], []],
  ],
  // A token goes on in the next text, however much came before.
  [
    ['x'.repeat(1500), 'ab', 'c'],
    [`${'x'.repeat(1500)}a`, 'bc d'],
    [['x'.repeat(1500)], ['ab', 'c']],
  ],
  [['Hello', '\uFFFD', '<0xE2>', 'Ġyou'], ['Hello € you, and me'], [['Hello', '\uFFFD', '<0xE2>', 'Ġyou']]],
  [['Hello\uFFFD', '\uFFFD you'], ['Hello € you'], [['Hello\uFFFD', '\uFFFD you']]],
])('tokens are shown in the order of their text: %j, %j', (tokens, texts, shown) => {
  expect(tokensOf(tokens, texts)).toEqual(shown)
})

test('tokens of right texts are shown, whether they are judged or not', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', ' a', 'b', '\n', ' ', 'ab', '€'), { maxLength: 30 }), fc.nat(30), (tokens, cut) => {
      const text = tokens.join('')
      const texts = [text.slice(0, cut), text.slice(cut)]
      expect(tokensOf(tokens, texts)).toEqual(tokensOf(tokens, texts, false))
    }),
  )
})

test('pairing tokens takes time in proportion to the text', async () => {
  const took = (count: number): Promise<number> => {
    const tokens = Array.from({ length: count }, (_, at) => at.toString(36).padStart(4, '_'))
    return processorMs(() => expect(tokensOf(tokens, [tokens.join('')])[0]?.length).toBe(count))
  }
  const few = await took(8000)
  expect(await took(32_000)).toBeLessThan(8 * Math.max(few, 60))
})
