import OpenAI from 'openai'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startAskGateway, usualQuestion, usualSources } from '../../packages/gateway/src/testing/ask-gateway.ts'
import { eventually, keptRun, runLines, startFaultGateway } from '../../packages/gateway/src/testing/fault-gateway.ts'
import { fallingSilent, silence } from '../../packages/gateway/src/testing/programmable-upstream-faults.ts'
import type { TestGateway } from '../../packages/gateway/src/testing/test-gateway.ts'
import {
  type ApiName,
  apiNames,
  dataOf,
  errorOf,
  readReply,
  send,
  terminalsOf,
  textOf,
  ways,
} from '../../packages/gateway/src/testing/wire.ts'

const text = 'These words come and then no more of them.'
const message = 'The gateway is shutting down; try again in a moment.'

let gateway: TestGateway
let isClosed = false
const close = async (graceMs = 0): Promise<void> => {
  if (isClosed) return
  isClosed = true
  await gateway.close(graceMs)
}
beforeEach(async () => {
  gateway = await startFaultGateway()
  isClosed = false
})
afterEach(() => close())

const asked = (count: number) => eventually(() => gateway.upstream.requests.filter(({ json }) => json !== undefined).length === count)
const troubles = () =>
  gateway.logLines.filter((line) => (JSON.parse(line) as { level: number | string }).level.toString().match(/error|warn|[45]0/))

const lastOf: Readonly<Record<ApiName, object>> = {
  chat: { error: { message, type: 'overloaded_error', param: null, code: 'shutting_down' } },
  responses: { type: 'error', message, code: 'shutting_down', param: null },
  messages: { type: 'error', error: { type: 'overloaded_error', message } },
}

describe('work that outlasts the grace', () => {
  test.each(apiNames)('%s: a stream ends with an error, whole and last', async (api) => {
    gateway.upstream.enqueue(fallingSilent(text, 4))
    const response = await send(gateway, api, { model: 'live', stream: true })
    const reading = readReply(response)
    await close(50)
    const reply = await reading
    expect([reply.status, reply.broken, terminalsOf(api, reply)]).toEqual([200, false, ['error']])
    expect(text.startsWith(textOf(api, reply))).toBe(true)
    expect(dataOf(reply).at(-1)).toMatchObject(lastOf[api])
    expect(runLines(gateway)).toMatchObject([{ kind: 'aborted', verdict: 'failed' }])
    expect(troubles()).toEqual([])
  })

  test.each(ways)('%s, %s: before its first text it is answered with 503', async (api, how) => {
    gateway.upstream.enqueue(silence)
    const sent = send(gateway, api, { model: 'brief', stream: how === 'streamed' })
    await asked(1)
    await close(50)
    const reply = await readReply(await sent)
    expect([reply.status, reply.headers.get('retry-after'), reply.headers.get('connection')]).toEqual([503, '1', 'close'])
    expect(errorOf(reply)).toMatchObject({ message, type: 'overloaded_error', code: 'shutting_down' })
    expect(troubles()).toEqual([])
  })

  test('the numbers of events go on without a gap', async () => {
    gateway.upstream.enqueue(fallingSilent(text, 4))
    const reading = readReply(await send(gateway, 'responses', { model: 'live', stream: true }))
    await close()
    const numbers = dataOf(await reading).map((data) => data.sequence_number)
    expect(numbers).toEqual(numbers.map((_, index) => index))
  })

  test('an official client raises an error', async () => {
    gateway.upstream.enqueue(fallingSilent(text, 4))
    const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'none', maxRetries: 0 })
    const stream = await client.chat.completions.create({ model: 'live', stream: true, messages: [{ role: 'user', content: 'Hi' }] })
    const read = async () => {
      for await (const _ of stream);
    }
    const reading = read()
    await Promise.all([expect(reading).rejects.toThrow(message), close()])
  })

  test('bodies that are passed on, and bodies that still come', async () => {
    gateway.upstream.enqueue(silence)
    const passed = gateway.post('/v1/embeddings', { model: 'plain', input: 'x' })
    await asked(1)
    const half = fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('{"model":')) }),
      duplex: 'half',
    } as RequestInit)
    await new Promise((resolve) => setTimeout(resolve, 50))
    await close()
    expect([(await passed).status, (await half).status]).toEqual([503, 503])
  })

  test('a client that has gone gets nothing, and is no error of ours', async () => {
    gateway.upstream.enqueue(silence)
    const leaving = new AbortController()
    const sent = send(gateway, 'chat', { model: 'brief', signal: leaving.signal, headers: { 'x-request-id': 'left' } })
    await asked(1)
    leaving.abort()
    await expect(sent).rejects.toThrow()
    expect(await keptRun(gateway, 'left')).toMatchObject({ httpStatus: 499, failure: { kind: 'aborted' } })
    await close()
    expect(troubles()).toEqual([])
  })
})

describe('questions that outlast the grace', () => {
  test.each([true, false])('streamed: %s', async (stream) => {
    const asking = await startAskGateway('{ upstreams: [first] }')
    asking.upstream.enqueue(fallingSilent('Grass is green [^1].', 4))
    const sent = asking.gateway.post('/ask', { question: usualQuestion, sources: usualSources, stream })
    await eventually(() => asking.upstream.requests[0]?.json !== undefined)
    await asking.close()
    const reply = await readReply(await sent)
    expect([reply.status, reply.broken]).toEqual([stream ? 200 : 503, false])
    if (!stream) expect(reply.json).toEqual({ ok: false, error: message })
    else expect(reply.events.at(-1)).toEqual({ event: 'error', data: JSON.stringify({ code: 503, message }) })
    expect(runLines(asking.gateway)).toMatchObject([{ kind: 'aborted' }])
  })
})
