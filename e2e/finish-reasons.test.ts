import { type FinishKind, finishKindOf, finishWords } from '@stickler/core/internal'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answering, answeringBody, answeringEvents } from '../packages/gateway/src/testing/programmable-upstream-answers.ts'
import { apis, type Seen } from '../packages/gateway/src/testing/speaking-clients.ts'
import { startTestGateway, type TestGateway } from '../packages/gateway/src/testing/test-gateway.ts'

const yaml = `
upstreams:
  - { name: chat, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }
  - { name: claude, kind: anthropic, baseUrl: $UP, apiKeyEnv: UP_KEY, retries: 0 }
  - { name: lab, kind: openai, provider: my-lab, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }
contracts:
  strict: { checks: [{ max_words: { limit: 5 } }], retries: 0 }
  lenient: { checks: [{ max_words: { limit: 5 } }], retries: 0, mode: lenient }
routes:
  - { model: strict-chat, upstream: chat, contract: strict }
  - { model: strict-claude, upstream: claude, contract: strict }
  - { model: strict-lab, upstream: lab, contract: strict }
  - { model: lenient-chat, upstream: chat, contract: lenient }
  - { model: plain-chat, upstream: chat }
  - { model: plain-claude, upstream: claude }
`

let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
})
afterAll(() => gateway.close())

const all = [...new Map<string, FinishKind>(Object.values(finishWords).flatMap((one) => Object.entries(one)))]
/** Behind one of the two APIs anybody may stand. */
const words = {
  chat: all,
  claude: all.filter(([word]) => Object.hasOwn(finishWords.anthropic, word) || /^(?:safety|stop|abort)$/.test(word)),
}
const ways = (Object.keys(apis) as (keyof typeof apis)[]).flatMap((api) => [
  [api, 'whole', false] as const,
  [api, 'streamed', true] as const,
])
const text = 'Use spaces.'

/** What a client with a strict contract sees of an end, beside the text. */
function verdictOn(kind: FinishKind | undefined): Partial<Seen> {
  if (kind === 'complete' || kind === 'calls' || kind === 'paused') return { status: 200, verdict: 'valid', text }
  if (kind === 'error') return { status: 502, text: '' }
  if (kind === undefined) return { status: 424, code: 'UNCHECKED', text: '' }
  return { status: 422, code: kind === 'filter' || kind === 'refusal' ? 'REFUSED' : 'TRUNCATED', text: '' }
}

/** What a client is told of the end of an answer that is delivered; undefined where its API leaves it out. */
function told(api: keyof typeof apis, upstream: 'chat' | 'claude', word: string, kind: FinishKind | undefined): string {
  if (api === 'responses') return kind === 'complete' || kind === 'calls' ? 'completed' : 'incomplete'
  const isOwn = (api === 'chat') === (upstream === 'chat')
  if (isOwn) return word
  const chat = { complete: 'stop', calls: 'tool_calls', length: 'length', filter: 'content_filter', refusal: 'content_filter' }
  const messages = { complete: 'end_turn', calls: 'tool_use', length: 'max_tokens', filter: 'refusal', refusal: 'refusal' }
  return (api === 'chat' ? chat : messages)[kind as keyof typeof chat] ?? word
}

describe.each(ways)('%s %s', (api, _how, stream) => {
  const ask = (model: string): Promise<Seen> => apis[api](gateway, { model, stream })

  test.each(['chat', 'claude'] as const)('every word of %s under a contract', async (upstream) => {
    for (const [word, kind] of words[upstream]) {
      gateway.upstream.enqueue(answering(text, { finishReason: word }))
      // Once a stream has begun its status is out; the clients of the tests call an error in it 422.
      const { status, ...expected } = verdictOn(kind)
      const seen = await ask(`strict-${upstream}`)
      expect({ word, ...seen }).toMatchObject({ word, ...(stream && status !== 200 ? {} : { status }), ...expected })
    }
  })

  test.each(['chat', 'claude'] as const)('every word of %s without a contract reaches the client', async (upstream) => {
    for (const [word, kind] of words[upstream]) {
      if (kind === 'error') continue
      gateway.upstream.enqueue(answering(text, { finishReason: word }))
      const seen = await ask(`plain-${upstream}`)
      expect({ word, ...seen }).toMatchObject({ word, status: 200, text, verdict: 'unenforced', finish: told(api, upstream, word, kind) })
    }
  })

  test('a word that nobody knows is never valid', async () => {
    const letters = fc.array(fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz_-ABC'.split('')), { minLength: 1, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(
        letters.map((list) => list.join('')),
        fc.constantFrom('chat', 'claude'),
        async (word, upstream) => {
          fc.pre(finishKindOf(word) === undefined && word !== 'null')
          gateway.upstream.enqueue(answering(text, { finishReason: word }), answering(text, { finishReason: word }))
          expect(await ask(`strict-${upstream}`)).toMatchObject({ code: 'UNCHECKED', text: '' })
          expect(await ask(`plain-${upstream}`)).toMatchObject({ text, finish: api === 'responses' ? 'incomplete' : word })
        },
      ),
      { numRuns: 20 },
    )
  })

  test.each([
    ['a provider that always sends one', 'strict-chat', { code: 'UNCHECKED', text: '' }],
    ['another provider', 'strict-lab', { status: 200, verdict: 'valid', text }],
    ['a provider without a contract', 'plain-chat', { status: 200, verdict: 'unenforced', text }],
  ])('no finish reason from %s: none is invented', async (_name, model, expected) => {
    const frame = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' }
    const chunk = { ...frame, choices: [{ index: 0, delta: { role: 'assistant', content: text }, finish_reason: null }] }
    const message = { role: 'assistant', content: text }
    const whole = answeringBody({ ...frame, choices: [{ index: 0, message, finish_reason: null }] })
    gateway.upstream.enqueue(stream ? answeringEvents([chunk]) : whole)
    const seen = await ask(model)
    expect(seen).toMatchObject(expected)
    expect(seen.finish ?? undefined).toBeUndefined()
  })

  test('no stop reason from Anthropic', async () => {
    const message = { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null, usage: {} }
    const events = [
      { type: 'message_start', message },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: null } },
      { type: 'message_stop' },
    ]
    const answer = stream ? answeringEvents(events, { done: false }) : answeringBody({ ...message, content: [{ type: 'text', text }] })
    gateway.upstream.enqueue(answer, answer)
    expect(await ask('strict-claude')).toMatchObject({ code: 'UNCHECKED', text: '' })
    const plain = await ask('plain-claude')
    expect(plain).toMatchObject({ status: 200, text })
    expect(plain.finish ?? undefined).toBeUndefined()
  })

  test('a lenient contract delivers a word that nobody knows, and says so', async () => {
    gateway.upstream.enqueue(answering(text, { finishReason: 'who_knows' }))
    expect(await ask('lenient-chat')).toMatchObject({ status: 200, verdict: 'unchecked', text })
  })
})

test('a provider that does not always send a finish reason: the client is warned', async () => {
  const choices = [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: null }]
  gateway.upstream.enqueue(answeringBody({ id: 'c', object: 'chat.completion', created: 1, model: 'm', choices }))
  const response = await gateway.post('/v1/chat/completions', { model: 'strict-lab', messages: [{ role: 'user', content: 'Hi' }] })
  expect(await response.json()).toMatchObject({
    choices: [{ finish_reason: null }],
    stickler: { status: 'valid', issues: [{ code: 'FINISH_REASON_MISSING', severity: 'warning' }] },
  })
})
