import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'
import { type ApiName, apiNames, ask } from '../../testing/wire.ts'
import { chat, chatChunk, type Json, message, messageEvents, response, responseEvents } from '../relay/testing/reasoned-replies.ts'

// Some clients take the first value of a key that comes twice, others the last: both get the one that was judged.
const yaml = `
upstreams:
  - { name: openai, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0, apis: [chat, responses] }
  - { name: anthropic, kind: anthropic, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }
contracts:
  safe: { checks: [{ sensitive: { redact: true } }], retries: 0 }
routes:
  - { model: chat, upstream: openai, contract: safe }
  - { model: responses, upstream: openai, contract: safe }
  - { model: messages, upstream: anthropic, contract: safe }
`
let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
})
afterAll(() => gateway.close())

const whole: Readonly<Record<ApiName, Json>> = { chat: chat.whole({}), messages: message('So.'), responses: response }
const streamed: Readonly<Record<ApiName, readonly Json[]>> = {
  chat: [...['Yes', ', it', ' is', '.'].map((content) => chatChunk({ content })), chatChunk({}, 'stop')],
  messages: messageEvents,
  responses: responseEvents,
}

/** All ways to write a member of an object twice, the first time with another value. */
function* doubled(json: string): Generator<string> {
  for (const { 0: key, index } of json.matchAll(/"[a-z_]+":/g)) {
    const value = json.slice(index + key.length)
    // Not inside of a text.
    if (value.startsWith('"') || value.startsWith('{') || value.startsWith('['))
      for (const first of ['"CANARY"', '[{"type":"output_text","text":"CANARY"}]', '{"content":"CANARY"}'])
        yield `${json.slice(0, index)}${key}${first},${json.slice(index)}`
  }
}

/** Every way is one request. */
const some = <Way>(ways: readonly Way[]): readonly Way[] => ways.filter((_, at) => at % Math.ceil(ways.length / 24) === 0)

const frames = (events: readonly string[], api: ApiName) =>
  events.map((data) => `${api === 'chat' ? '' : `event: ${(JSON.parse(data) as Json).type}\n`}data: ${data}\n\n`).join('') +
  (api === 'chat' ? 'data: [DONE]\n\n' : '')

describe.each(apiNames)('a key that comes twice in %s', (api) => {
  const reply = (body: string, type: string) =>
    gateway.upstream.enqueue(({ response: out }) => void out.writeHead(200, { 'content-type': type }).end(body))

  test('is delivered with the value that was judged, whole', async () => {
    for (const body of some([...doubled(JSON.stringify(whole[api]))])) {
      reply(body, 'application/json')
      const { body: shown } = await ask(gateway, api, { model: api })
      expect([body, shown.includes('CANARY')]).toEqual([body, false])
    }
  })

  test('is delivered with the value that was judged, streamed', async () => {
    const events = streamed[api].map((event) => JSON.stringify(event))
    const ways = events.flatMap((event, at) => [...doubled(event)].map((twice) => events.with(at, twice)))
    for (const way of some(ways)) {
      reply(frames(way, api), 'text/event-stream')
      const { body } = await ask(gateway, api, { model: api, stream: true })
      expect([way.find((data) => data.includes('CANARY')), body.includes('CANARY')]).toEqual([expect.any(String), false])
    }
  })
})
