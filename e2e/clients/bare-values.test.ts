import Anthropic from '@anthropic-ai/sdk'
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod'
import fc from 'fast-check'
import OpenAI from 'openai'
import { zodTextFormat } from 'openai/helpers/zod'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { responseEvents, type WrittenItem } from '../../packages/core/src/apis/responses/testing/response-events.ts'
import { requireBuiltJudge } from '../../packages/gateway/src/testing/built-judge.ts'
import type { Behaviour } from '../../packages/gateway/src/testing/programmable-upstream.ts'
import { answering, answeringBody, answeringEvents } from '../../packages/gateway/src/testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../packages/gateway/src/testing/test-gateway.ts'
import { type ApiName, ask, dataOf, textOf, verdictOf, ways } from '../../packages/gateway/src/testing/wire.ts'

const yaml = `
server: { port: 0, judging: { threshold: 20000, threads: 1, deadline: 60 } }
upstreams:
  - { name: openai, kind: openai, baseUrl: $UP/v1, retries: 0, apis: [chat, responses] }
  - { name: anthropic, kind: anthropic, baseUrl: $UP/v1, retries: 0 }
contracts:
  json: { checks: [json], retries: 0 }
routes:
  - { model: openai, upstream: openai, contract: json }
  - { model: anthropic, upstream: anthropic, contract: json }
`
let gateway: TestGateway

beforeAll(async () => {
  requireBuiltJudge()
  gateway = await startTestGateway({ yaml })
})
afterAll(() => gateway.close())

const schema = { type: 'object' }
/** A request for structured output in the words of each API. */
const formats: Readonly<Record<ApiName, Readonly<Record<string, unknown>>>> = {
  chat: { response_format: { type: 'json_schema', json_schema: { name: 'x', schema } } },
  responses: { text: { format: { type: 'json_schema', name: 'x', schema } } },
  messages: { output_config: { format: { type: 'json_schema', schema } } },
}

const cut = (text: string, size: number): string[] => text.match(new RegExp(`[^]{1,${size}}`, 'gu')) ?? []

/** A response of several items, whole or as a stream. */
const responding =
  (items: readonly WrittenItem[]): Behaviour =>
  (exchange) => {
    const events = responseEvents(items).map((data): [string, string] => [JSON.parse(data).type, data])
    const frames = events.map(([type, data]) => `event: ${type}\ndata: ${data}\n\n`).join('')
    if (exchange.request.json?.stream === true) return answeringBody(frames, { contentType: 'text/event-stream' })(exchange)
    return answeringBody(JSON.parse(events.at(-1)?.[1] ?? '').response)(exchange)
  }

/** Answers in the words of the API that the upstream was asked in, in pieces of so many characters. */
const saying =
  (text: string, size: number): Behaviour =>
  (exchange) =>
    (exchange.request.path.endsWith('/responses') ? responding([{ text: cut(text, size) }]) : answering(text, { chunks: cut(text, size) }))(
      exchange,
    )

const fence = '```'
const prose = fc
  .array(fc.constantFrom('Here', 'you', 'are:', 'Größe', '"a"', '👍', 'it’s', '1.'), { minLength: 1, maxLength: 60 })
  .map((words) => `${words.join(' ')} indeed`)
const around = fc.option(prose, { nil: '' })
const value = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 2 }), { minKeys: 1 })

interface Certificate {
  readonly span: { readonly start: number; readonly end: number }
  readonly before: string
}

/** What the certificates of removals leave of a text. */
function without(text: string, repairs: readonly Certificate[]): string {
  let rest = text
  for (const { span, before } of repairs.toReversed()) {
    expect(rest.slice(span.start, span.end)).toBe(before)
    rest = rest.slice(0, span.start) + rest.slice(span.end)
  }
  return rest
}

describe.each(['openai', 'anthropic'])('in front of %s', (model) => {
  test.each(ways)('%s, %s: the events of a provider carry only the value, whatever is around it', async (api, way) => {
    await fc.assert(
      fc.asyncProperty(around, value, around, fc.boolean(), fc.integer({ min: 1, max: 60 }), async (before, given, after, fenced, size) => {
        const json = JSON.stringify(given)
        const block = fenced ? `${fence}json\n${json}\n${fence}` : json
        const text = [before, block, after].filter((part) => part !== '').join('\n\n')
        gateway.upstream.enqueue(saying(text, size))
        const reply = await ask(gateway, api, { model, stream: way === 'streamed', fields: formats[api] })
        expect(textOf(api, reply)).toBe(json)
        const verdict = verdictOf(reply) as { readonly status: string; readonly repairs: readonly Certificate[] }
        expect(verdict.status).toBe(text === json ? 'valid' : 'repaired')
        expect(without(text, verdict.repairs)).toBe(json)
        const shown = JSON.stringify(way === 'streamed' ? dataOf(reply) : reply.json, (key, member) =>
          key === 'stickler' ? undefined : member,
        )
        expect(shown).not.toContain('indeed')
      }),
      { numRuns: 10 },
    )
  })

  test.each(ways)('%s, %s: also where a thread judges', async (api, way) => {
    const json = JSON.stringify({ long: 'word '.repeat(8000) })
    gateway.upstream.enqueue(saying(`Here you are:\n\n${fence}json\n${json}\n${fence}`, 4096))
    const reply = await ask(gateway, api, { model, stream: way === 'streamed', fields: formats[api] })
    expect(textOf(api, reply)).toBe(json)
  })

  test.each(ways)('%s, %s: words beside a call stay', async (api, way) => {
    const toolCalls = [{ id: 'call_1', name: 'look', arguments: '{"q":1}' }]
    const said = 'Let me look.'
    gateway.upstream.enqueue((exchange) =>
      (exchange.request.path.endsWith('/responses')
        ? responding([{ text: [said] }, { call: 'look', arguments: ['{"q":1}'] }])
        : answering(said, { toolCalls }))(exchange),
    )
    const tool =
      api === 'chat'
        ? { type: 'function', function: { name: 'look' } }
        : { name: 'look', input_schema: schema, type: api === 'responses' ? 'function' : 'custom' }
    const reply = await ask(gateway, api, { model, stream: way === 'streamed', fields: { ...formats[api], tools: [tool] } })
    expect([textOf(api, reply), verdictOf(reply)?.status]).toEqual([said, 'valid'])
  })
})

test('probabilities of removed text go with it', async () => {
  const pieces = ['Here', ' it', ' is', ': ', '{"a"', ': 1', '}', ' Bye', ' now']
  const content = pieces.map((token) => ({ token, logprob: -1, bytes: null, top_logprobs: [] }))
  const chunk = (delta: object, more: object = {}) => ({ id: 'c', choices: [{ index: 0, delta, finish_reason: null, ...more }] })
  const message = { role: 'assistant', content: pieces.join('') }
  for (const stream of [true, false]) {
    gateway.upstream.enqueue(
      stream
        ? answeringEvents([
            chunk({ role: 'assistant', content: '' }),
            ...pieces.map((piece, at) => chunk({ content: piece }, { logprobs: { content: [content[at]] } })),
            chunk({}, { finish_reason: 'stop' }),
          ])
        : answeringBody({ id: 'c', choices: [{ index: 0, message, finish_reason: 'stop', logprobs: { content } }] }),
    )
    const fields = { ...formats.chat, logprobs: true }
    const reply = await ask(gateway, 'chat', { model: 'openai', stream, fields })
    expect(textOf('chat', reply)).toBe('{"a": 1}')
    const told = stream ? dataOf(reply) : [reply.json]
    const tokens = told.flatMap(({ choices }) =>
      ((choices as { logprobs?: { content?: { token: string }[] } }[])[0]?.logprobs?.content ?? []).map(({ token }) => token),
    )
    // Of a whole reply whose text has changed no probabilities are passed on.
    expect(tokens).toEqual(stream ? ['{"a"', ': 1', '}'] : [])
  }
})

/** A message with these texts and a provider's own tool between them. */
const inBlocks =
  (texts: readonly string[]): Behaviour =>
  (exchange) => {
    const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } }
    const blocks = texts.flatMap((text, at) => [...(at > 0 ? [search] : []), { type: 'text', text }])
    const message = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      stop_reason: 'end_turn',
      usage: { input_tokens: 1, output_tokens: 1 },
    }
    if (exchange.request.json?.stream !== true) return answeringBody({ ...message, content: blocks })(exchange)
    const events = [
      { type: 'message_start', message: { ...message, stop_reason: null, content: [] } },
      ...blocks.flatMap((block, index) => [
        { type: 'content_block_start', index, content_block: 'text' in block ? { type: 'text', text: '' } : block },
        ...('text' in block
          ? cut(block.text, 5).map((text) => ({ type: 'content_block_delta', index, delta: { type: 'text_delta', text } }))
          : []),
        { type: 'content_block_stop', index },
      ]),
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } },
      { type: 'message_stop' },
    ]
    const frames = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
    return answeringBody(frames, { contentType: 'text/event-stream' })(exchange)
  }

const asked = 'Let me look {this} up.\n\n'
const sameBefore = 'I will answer like `{"this": 1}`.\n\n'

describe.each([
  [true, asked],
  [false, asked],
  [true, sameBefore],
  [false, sameBefore],
])('an answer in several parts; streamed: %s, after %j', (stream, first) => {
  const texts = [first, `Here you are:\n\n${fence}json\n{"this": 1}\n${fence}\n`]

  test('no empty block of a message is left', async () => {
    gateway.upstream.enqueue(inBlocks(texts))
    const client = new Anthropic({ baseURL: gateway.url, apiKey: 'any', maxRetries: 0 })
    const params = {
      model: 'anthropic',
      max_tokens: 9,
      messages: [{ role: 'user' as const, content: 'x' }],
      output_config: { format: zodOutputFormat(z.object({ this: z.int() })) },
    }
    const message = stream ? await client.messages.stream(params).finalMessage() : await client.messages.parse(params)
    expect(message.parsed_output).toEqual({ this: 1 })
    expect(message.content).toMatchObject([{ type: 'server_tool_use' }, { type: 'text', text: '{"this": 1}' }])
  })

  test('no empty part of a response is left', async () => {
    gateway.upstream.enqueue(responding(texts.map((text) => ({ text: cut(text, 5) }))))
    const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'any', maxRetries: 0 })
    const params = { model: 'openai', input: 'x', text: { format: zodTextFormat(z.object({ this: z.int() }), 'x') } }
    const response = stream ? await client.responses.stream(params).finalResponse() : await client.responses.parse(params)
    expect(response.output_parsed).toEqual({ this: 1 })
  })
})
