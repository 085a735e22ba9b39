import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type RawAnswer, RawClient, rawRequest, until } from '../testing/http-front.ts'
import { answering } from '../testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../testing/test-gateway.ts'
import { type ApiName, bodyOf, ways } from '../testing/wire.ts'

// Every request that reaches the provider is answered, whatever its client does with the connection.
let gateway: TestGateway
let port = 0
beforeAll(async () => {
  gateway = await startTestGateway()
  port = Number(new URL(gateway.url).port)
})
beforeEach(() => gateway.upstream.otherwise(answering('Hello.', { delayMs: 20 })))
afterAll(() => gateway.close())

const paths = { chat: '/v1/chat/completions', responses: '/v1/responses', messages: '/v1/messages' } as const
const asking = (api: ApiName, stream: boolean, model = 'plain'): string =>
  rawRequest('POST', paths[api], ['Content-Type: application/json'], JSON.stringify(bodyOf(api, { model, stream })))
const whole = (answers: readonly RawAnswer[]): RawAnswer[] => answers.filter(({ status }) => status >= 200)
const callsOf = (): number => gateway.upstream.requests.length

test.each(ways)('what follows a request on its connection is answered in order, or not begun: %s %s', async (api, way) => {
  const isStream = way === 'streamed'
  const before = callsOf()
  const client = new RawClient(port).send(asking(api, isStream) + asking('chat', false).repeat(2))
  const answers = whole(await (isStream ? client.end() : client.answers(3)))
  client.socket.destroy()
  expect(answers.map(({ status }) => status)).toEqual(isStream ? [200] : [200, 200, 200])
  expect(answers[0]?.headers.get('connection')).toBe(isStream ? 'close' : 'keep-alive')
  expect(callsOf() - before).toBe(answers.length)
})

test('only one request of a connection is in progress at a time', async () => {
  let open: () => void = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  gateway.upstream.otherwise(async (exchange) => {
    await opened
    await answering('Hello.')(exchange)
  })
  const before = callsOf()
  const client = new RawClient(port).send(asking('chat', false).repeat(3))
  await until(() => callsOf() - before === 1)
  // The others have been read: what comes after them on another connection is answered.
  await gateway.get('/healthz')
  expect(callsOf() - before).toBe(1)
  open()
  expect((await client.answers(3)).map(({ status }) => status)).toEqual([200, 200, 200])
  client.socket.destroy()
})

test.each(ways)('a client that has ended its side and left is noticed: %s %s', async (api, way) => {
  gateway.upstream.otherwise(answering('Hello, this takes its time.', { delayMs: 5000 }))
  const before = callsOf()
  const client = new RawClient(port, { allowHalfOpen: true })
  client.socket.end(asking(api, way === 'streamed'))
  await until(() => callsOf() - before === 1)
  client.socket.destroy()
  await gateway.upstream.requests.at(-1)?.closed
})

test.each(ways)('a client that has ended its side is answered: %s %s', async (api, way) => {
  const client = new RawClient(port, { allowHalfOpen: true })
  client.socket.end(asking(api, way === 'streamed'))
  const answers = whole(await client.end())
  expect(answers.map(({ status }) => status)).toEqual([200])
  const text = client.received.toString()
  expect(text).toContain('Hello')
  if (way === 'streamed') expect(text.endsWith('\r\n0\r\n\r\n')).toBe(true)
})
