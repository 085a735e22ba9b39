import Anthropic from '@anthropic-ai/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answeringEvents } from '../../testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'
import { type ApiName, apiNames, ask, dataOf, terminalsOf, textOf, verdictOf, type WireReply } from '../../testing/wire.ts'
import { chat, type Json, messageEvents, responseEvents } from './testing/reasoned-replies.ts'

// A stream is whole once it has said why it ended; of what is whole the closing event is added, anything else ends with an error.
const contracts = ['', '-words', '-held']
const yaml = `
upstreams:
  - { name: messages, kind: anthropic, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }
  - { name: chat, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0, apis: [chat] }
  - { name: responses, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0, apis: [chat, responses] }
contracts:
  words: { checks: [{ max_words: { limit: 100 } }], retries: 0 }
  held: { checks: [{ max_words: { limit: 100 } }], retries: 0, stream: hold }
  twice: { checks: [{ max_words: { limit: 100 } }], retries: 1 }
routes:
  - { model: twice, upstream: responses, contract: twice }
${apiNames.map((name) => contracts.map((kind) => `  - { model: ${name}${kind}, upstream: ${name}${kind && `, contract: ${kind.slice(1)}`} }`).join('\n')).join('\n')}
`

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
})
afterAll(() => gateway.close())

async function streamed(client: ApiName, model: string, events: readonly Json[], fields: Json = {}, done = false): Promise<WireReply> {
  gateway.upstream.enqueue(answeringEvents(events, { done }))
  return ask(gateway, client, { model, stream: true, fields })
}

function expectBroken(reply: WireReply, client: ApiName): void {
  if (reply.status === 200) expect(terminalsOf(client, reply)).toEqual(['error'])
  else expect(reply.status).toBe(502)
  expect(verdictOf(reply)).toMatchObject({ status: 'failed' })
}

function expectRising(reply: WireReply): void {
  const numbers = dataOf(reply).flatMap(({ sequence_number: number }) => (typeof number === 'number' ? [number] : []))
  expect(numbers.length).toBe(reply.events.length)
  for (const [at, number] of numbers.slice(1).entries()) expect(number).toBeGreaterThan(numbers[at] ?? Number.NaN)
}

const streams: Readonly<Record<ApiName, readonly Json[]>> = { chat: chat.events('x'), messages: messageEvents, responses: responseEvents }
/** How many of the last events may be missing of an answer that is whole. */
const spare: Readonly<Record<ApiName, number>> = { chat: 0, messages: 1, responses: 0 }
/** Which clients are answered by what an upstream speaks. */
const speaks = (upstream: ApiName): readonly ApiName[] => (upstream === 'responses' ? ['responses'] : apiNames)

/** Failures of some cases must not open the circuit for others. */
const forget = (): Promise<unknown> => gateway.reload(gateway.config)

test.each(apiNames)('a stream of %s is delivered whole or as broken, wherever it ends', async (upstream) => {
  const events = streams[upstream]
  for (const client of speaks(upstream)) {
    for (const kind of contracts) {
      await forget()
      for (const missing of [0, 1, 2, 3]) {
        const reply = await streamed(client, upstream + kind, events.slice(0, events.length - missing))
        if (missing > spare[upstream]) expectBroken(reply, client)
        else {
          expect([client, kind, missing, terminalsOf(client, reply)]).toEqual([client, kind, missing, ['done']])
          expect(verdictOf(reply)).toMatchObject({ status: kind === '' ? 'unenforced' : 'valid' })
        }
        if (client === 'responses' && reply.status === 200) expectRising(reply)
      }
    }
  }
})

test.each(apiNames)('a message that was cut is broken for a client of %s also when [DONE] follows', async (client) => {
  for (const kind of contracts) {
    await forget()
    for (const missing of [1, 2, 3, 4, messageEvents.length - 1]) {
      const reply = await streamed(client, `messages${kind}`, messageEvents.slice(0, -missing), {}, true)
      if (missing > 1) expectBroken(reply, client)
      else expect([kind, terminalsOf(client, reply)]).toEqual([kind, ['done']])
    }
  }
})

const [start = {}, ...rest] = messageEvents
const call = { type: 'tool_use', id: 't', name: 'look', input: { at: 1 } }
const whole = (content: readonly Json[], reason = 'end_turn'): Json => ({
  ...start,
  message: { ...(start.message as Json), content, stop_reason: reason },
})

test('a message that is whole from the start is closed once, with its calls once', async () => {
  for (const kind of ['', '-words']) {
    for (const events of [[whole([call], 'tool_use')], [whole([call], 'tool_use'), { type: 'message_stop' }]]) {
      const reply = await streamed('messages', `messages${kind}`, events, { tools: [{ name: 'look', input_schema: { type: 'object' } }] })
      expect(terminalsOf('messages', reply)).toEqual(['done'])
      expect(reply.body.split('"name":"look"')).toHaveLength(2)
      expect(verdictOf(reply)).toBeDefined()
    }
  }
})

test('a reason that comes before the content does not make what was cut whole', async () => {
  const begun = rest.slice(
    0,
    rest.findIndex(({ type }) => type === 'message_delta'),
  )
  for (const kind of contracts) {
    await forget()
    for (const missing of [0, 1, begun.length]) {
      const events = [whole([]), ...begun.slice(0, begun.length - missing)]
      for (const done of [false, true]) expectBroken(await streamed('messages', `messages${kind}`, events, {}, done), 'messages')
    }
  }
})

test('the official client has the message of a stream without its last event', async () => {
  for (const kind of contracts) {
    const client = new Anthropic({ apiKey: 'key', baseURL: gateway.url, maxRetries: 0 })
    gateway.upstream.enqueue(answeringEvents(messageEvents.slice(0, -1), { done: false, named: true }))
    const stream = client.messages.stream({ model: `messages${kind}`, max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] })
    const { content, stop_reason: reason } = await stream.finalMessage()
    expect([kind, content.at(-1), reason]).toMatchObject([kind, { type: 'text', text: 'Yes.' }, 'end_turn'])
  }
})

test.each(['completed', 'incomplete', 'failed'])('a response.%s without its response is an error after all that was shown', async (end) => {
  for (const told of [undefined, null, 'x', []]) {
    await forget()
    for (const kind of contracts) {
      const last: Json = {
        type: `response.${end}`,
        sequence_number: responseEvents.length,
        ...(told === undefined ? {} : { response: told }),
      }
      const reply = await streamed('responses', `responses${kind}`, [...responseEvents.slice(0, -1), last])
      expectBroken(reply, 'responses')
      if (reply.status !== 200) continue
      expectRising(reply)
      expect(dataOf(reply).map(({ type }) => type)).not.toContain(last.type)
    }
  }
})

test('an error of the provider has a higher number than what was shown of an earlier attempt', async () => {
  const told = { ...(responseEvents.at(-1)?.response as Json), status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }
  const cut = [...responseEvents.slice(0, -1), { ...responseEvents.at(-1), type: 'response.incomplete', response: told }]
  const error = { type: 'error', code: 'server_error', message: 'down', param: null, sequence_number: 1 }
  await forget()
  gateway.upstream.enqueue(answeringEvents(cut, { done: false }), answeringEvents([responseEvents[0] as Json, error], { done: false }))
  const reply = await ask(gateway, 'responses', { model: 'twice', stream: true })
  expect(dataOf(reply).at(-1)).toMatchObject({ type: 'error', code: 'server_error' })
  expect(textOf('responses', reply)).toBe('Yes.')
  expectRising(reply)
})
