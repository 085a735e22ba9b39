import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Anthropic from '@anthropic-ai/sdk'
import fc from 'fast-check'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Behaviour } from '../../testing/programmable-upstream.ts'
import { answering, answeringBody, answeringEvents } from '../../testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'
import { type ApiName, ask, dataOf, textOf, verdictOf, ways } from '../../testing/wire.ts'

const yaml = `
upstreams:
  - { name: openai, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0, apis: [chat, responses] }
  - { name: anthropic, kind: anthropic, baseUrl: $UP, apiKeyEnv: UP_KEY, retries: 0 }
contracts:
  safe: { checks: [{ sensitive: { redact: true } }], retries: 0 }
  both: { checks: [{ sensitive: { redact: true } }, { max_words: { limit: 1000 } }, { contains: { none: [forbidden] } }], retries: 1 }
  strict: { checks: [sensitive], retries: 1, stream: hold }
  lenient: { checks: [{ sensitive: { redact: true } }, { contains: { all: [bye] } }], mode: lenient }
  given: { checks: [sensitive], mode: lenient }
routes:
  - { model: chat, upstream: openai, contract: safe }
  - { model: responses, upstream: openai, contract: safe }
  - { model: messages, upstream: anthropic, contract: safe }
  - { model: both, upstream: openai, contract: both }
  - { model: strict, upstream: openai, contract: strict }
  - { model: lenient, upstream: openai, contract: lenient }
  - { model: given, upstream: openai, contract: given }
  - { model: other, upstream: anthropic, contract: safe }
`

let gateway: TestGateway
let openai: OpenAI
let anthropic: Anthropic

beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
  openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'none', maxRetries: 0 })
  anthropic = new Anthropic({ baseURL: gateway.url, apiKey: 'none', maxRetries: 0 })
})
afterAll(() => gateway.close())

const said = 'Mail jane.doe@acme.org or call +49 30 1234567, with card 4111 1111 1111 1111. Then wait, please.'
const shown = 'Mail [EMAIL] or call [PHONE], with card [CARD]. Then wait, please.'
// With the characters beside them: ids and times may have the digits.
const secrets = ['jane', 'acme', '1234567', '4111 ', ' 1111']
const messages = [{ role: 'user' as const, content: 'Who?' }]

const cut = (text: string, size: number): string[] => text.match(new RegExp(`[^]{1,${size}}`, 'gu')) ?? []

/** Answers in the words of an API, in pieces of so many characters. */
function saying(api: ApiName, text: string, size: number): Behaviour {
  if (api !== 'responses') return answering(text, { chunks: cut(text, size) })
  const part = { type: 'output_text', text, annotations: [] }
  const item = { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content: [part] }
  const response = { id: 'resp_1', object: 'response', created_at: 1, model: 'm', status: 'completed', output: [item] }
  const place = { item_id: 'msg_1', output_index: 0, content_index: 0 }
  const open = { ...response, status: 'in_progress', output: [] }
  const events = [
    { type: 'response.created', response: open },
    { type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress', content: [] } },
    { type: 'response.content_part.added', ...place, part: { ...part, text: '' } },
    ...cut(text, size).map((delta) => ({ type: 'response.output_text.delta', ...place, delta })),
    { type: 'response.output_text.done', ...place, text },
    { type: 'response.content_part.done', ...place, part },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response },
  ].map((event, at) => ({ ...event, sequence_number: at }))
  const frames = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
  return (exchange) =>
    (exchange.request.json?.stream === true ? answeringBody(frames, { contentType: 'text/event-stream' }) : answeringBody(response))(
      exchange,
    )
}

describe('text that was edited on the way', () => {
  test.each(ways)('%s, %s: arrives in the events of its provider, and no secret with it', async (api, way) => {
    for (const chunkSize of [1, 4, 7, 1000]) {
      gateway.upstream.enqueue(saying(api, said, chunkSize))
      const reply = await ask(gateway, api, { model: api, stream: way === 'streamed' })
      expect(textOf(api, reply)).toBe(shown)
      expect(verdictOf(reply)).toMatchObject({ status: 'repaired' })
      for (const secret of secrets) expect(JSON.stringify(reply)).not.toContain(secret)
    }
  })

  test('the SDK of OpenAI reads chat completions', async () => {
    gateway.upstream.enqueue(saying('chat', said, 5))
    const pieces: string[] = []
    const stream = await openai.chat.completions.create({ model: 'chat', messages, stream: true })
    for await (const { choices } of stream) pieces.push(choices[0]?.delta.content ?? '')
    expect(pieces.join('')).toBe(shown)
    expect(pieces.filter((piece) => piece !== '').length).toBeGreaterThan(8)
    gateway.upstream.enqueue(answering(said))
    expect((await openai.chat.completions.create({ model: 'chat', messages })).choices[0]?.message.content).toBe(shown)
  })

  test('the SDK of OpenAI reads responses', async () => {
    gateway.upstream.enqueue(saying('responses', said, 5))
    const stream = openai.responses.stream({ model: 'responses', input: 'Who?' })
    let text = ''
    for await (const event of stream) if (event.type === 'response.output_text.delta') text += event.delta
    expect(text).toBe(shown)
    expect((await stream.finalResponse()).output_text).toBe(shown)
    gateway.upstream.enqueue(saying('responses', said, 5))
    expect((await openai.responses.create({ model: 'responses', input: 'Who?' })).output_text).toBe(shown)
  })

  test('the SDK of Anthropic reads messages', async () => {
    gateway.upstream.enqueue(saying('chat', said, 5))
    const stream = anthropic.messages.stream({ model: 'messages', max_tokens: 100, messages })
    let text = ''
    stream.on('text', (piece) => {
      text += piece
    })
    expect((await stream.finalMessage()).content).toMatchObject([{ type: 'text', text: shown }])
    expect(text).toBe(shown)
    gateway.upstream.enqueue(answering(said))
    expect((await anthropic.messages.create({ model: 'messages', max_tokens: 100, messages })).content).toMatchObject([{ text: shown }])
  })

  test('a provider of another API is translated', async () => {
    gateway.upstream.enqueue(saying('chat', said, 3))
    const reply = await ask(gateway, 'chat', { model: 'other', stream: true })
    expect(textOf('chat', reply)).toBe(shown)
    for (const secret of secrets) expect(JSON.stringify(reply)).not.toContain(secret)
  })

  test.each(['whole', 'streamed'])('%s: what is kept has no secret, even where it is delivered', async (way) => {
    const folder = await mkdtemp(join(tmpdir(), 'stickler-kept-'))
    const own = await startTestGateway({ yaml, folder })
    try {
      for (const model of ['chat', 'lenient', 'given', 'strict']) {
        for (let turn = 0; turn < (model === 'strict' ? 2 : 1); turn++) own.upstream.enqueue(saying('chat', said, 5))
        const reply = await ask(own, 'chat', { model, stream: way === 'streamed' })
        if (model === 'lenient') expect([textOf('chat', reply), verdictOf(reply)?.status]).toEqual([shown, 'unresolved'])
        if (model === 'given') expect(textOf('chat', reply)).toBe(said)
        expect(JSON.stringify([...reply.headers])).not.toContain('jane')
        expect(JSON.stringify(own.upstream.requests)).not.toContain('jane')
      }
      expect(own.logLines.join()).not.toContain('jane')
    } finally {
      await own.close()
    }
    const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((one) => one.isFile())
    const kept = await Promise.all(files.map((one) => readFile(join(one.parentPath, one.name), 'latin1')))
    await rm(folder, { recursive: true })
    expect(kept.join()).toContain('Mail [EMAIL] or call')
    for (const secret of ['jane', 'acme.org', '1234567', '4111 ', ' 1111']) expect(kept.join()).not.toContain(secret)
  })

  test('log probabilities of what was taken out are left out too', async () => {
    const chunk = (content: string) => ({
      id: 'c',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'm',
      choices: [
        { index: 0, delta: { content }, logprobs: { content: [{ token: content, logprob: -1, bytes: null }] }, finish_reason: null },
      ],
    })
    const stop = { ...chunk(''), choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }
    gateway.upstream.enqueue(answeringEvents([...['Mail ', 'jane', '@acme', '.org', ' now', '.'].map(chunk), stop]))
    const reply = await ask(gateway, 'chat', { model: 'chat', stream: true, fields: { logprobs: true } })
    expect(textOf('chat', reply)).toBe('Mail [EMAIL] now.')
    for (const secret of ['jane', 'acme', '.org']) expect(JSON.stringify(reply)).not.toContain(secret)
    expect(reply.body).toContain('"token":"Mail "')
  })

  test('several choices are edited each for itself', async () => {
    const chunk = (index: number, content: string) => ({
      id: 'c',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'm',
      choices: [{ index, delta: { content }, finish_reason: null }],
    })
    const stop = {
      id: 'c',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'm',
      choices: [0, 1].map((index) => ({ index, delta: {}, finish_reason: 'stop' })),
    }
    gateway.upstream.enqueue(
      answeringEvents([chunk(0, 'A jane@ac'), chunk(1, 'B nothing'), chunk(0, 'me.org '), chunk(1, ' here'), chunk(0, 'x'), stop]),
    )
    const reply = await ask(gateway, 'chat', { model: 'both', stream: true, fields: { n: 2 } })
    const text = (index: number): string =>
      dataOf(reply)
        .flatMap(({ choices }) => (choices as { index: number; delta?: { content?: string } }[] | undefined) ?? [])
        .map((one) => (one.index === index ? (one.delta?.content ?? '') : ''))
        .join('')
    expect([text(0), text(1)]).toEqual(['A [EMAIL] x', 'B nothing here'])
  })

  test('an attempt that is stopped after an edit is continued', async () => {
    gateway.upstream.enqueue(
      saying('chat', 'Mail jane@acme.org and say forbidden things.', 6),
      saying('chat', ' be kind to b@acme.org.', 6),
    )
    const reply = await ask(gateway, 'chat', { model: 'both', stream: true })
    expect(textOf('chat', reply)).toMatch(/^Mail \[EMAIL\] and say +be kind to \[EMAIL\]\.$/)
    expect(verdictOf(reply)).toMatchObject({ status: 'repaired' })
    expect(JSON.stringify(reply)).not.toContain('acme')
  })

  test('any texts and events: the client sees the text of the outcome', async () => {
    const piece = fc.constantFrom(
      'Mail ',
      'jane@acme.org',
      '@',
      'a.b',
      ' +49 30 1234567',
      ' 4111 1111',
      ' 1111 1111',
      ', ',
      '\n',
      'ü👍',
      'x',
      '\u200b',
    )
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...ways),
        fc.array(piece, { minLength: 1, maxLength: 9 }),
        fc.integer({ min: 1, max: 12 }),
        async ([api, way], pieces, chunkSize) => {
          const text = `Hi ${pieces.join('')} end`
          gateway.upstream.enqueue(saying(api, text, chunkSize))
          const whole = await ask(gateway, api, { model: api, stream: false })
          gateway.upstream.enqueue(saying(api, text, chunkSize))
          const reply = await ask(gateway, api, { model: api, stream: way === 'streamed' })
          expect(textOf(api, reply)).toBe(textOf(api, whole))
        },
      ),
      { numRuns: 40 },
    )
  })
})
