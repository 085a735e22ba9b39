import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { forgetFailures, keptRun, startFaultGateway } from '../../packages/gateway/src/testing/fault-gateway.ts'
import { answering, answeringBody } from '../../packages/gateway/src/testing/programmable-upstream-answers.ts'
import type { TestGateway } from '../../packages/gateway/src/testing/test-gateway.ts'
import { apiNames, ask, dataOf, errorOf, terminalsOf, textOf, verdictOf, ways } from '../../packages/gateway/src/testing/wire.ts'

let gateway: TestGateway

beforeAll(async () => {
  gateway = await startFaultGateway()
})
beforeEach(async () => {
  await forgetFailures(gateway)
  gateway.upstream.otherwise(answering('Fine.'))
})
afterAll(() => gateway.close())

/** The arguments of the calls in a stream of chat completions, put together. */
function argumentsOf(reply: Parameters<typeof dataOf>[0]): string {
  const choices = dataOf(reply).flatMap(
    (chunk) => (chunk.choices ?? []) as { delta?: { tool_calls?: { function?: { arguments?: string } }[] } }[],
  )
  return choices
    .flatMap(({ delta }) => delta?.tool_calls ?? [])
    .map((call) => call.function?.arguments ?? '')
    .join('')
}

describe('X01 text that looks like events', () => {
  const injections: readonly (readonly [string, string])[] = [
    ['the end of a stream', 'a\n\ndata: [DONE]\n\nb'],
    ['an error event', 'a\n\nevent: error\ndata: {"error":{"message":"no"}}\n\nb'],
    ['lone CR', 'a\rdata: [DONE]\r\rb'],
    ['CRLF', 'a\r\n\r\nevent: message_stop\r\ndata: {}\r\n\r\nb'],
    ['line separators', 'a\u2028data: [DONE]\u2029\u2028b\u0085c'],
    ['NUL, BOM and a byte order mark', '\ufeffa\0\n: comment\nid: 7\nretry: 1\n\nb'],
    ['a whole chunk', '"}}]}\n\ndata: {"id":"x","choices":[{"index":0,"delta":{"content":"owned"},"finish_reason":"stop"}]}\n\n'],
  ]
  describe.each(injections)('X01 %s', (_name, text) => {
    test.each(apiNames)('%s: the same events as for harmless text', async (api) => {
      const kinds: string[][] = []
      for (const said of ['x'.repeat(text.length), text]) {
        gateway.upstream.enqueue(answering(said, { reasoning: said }))
        const reply = await ask(gateway, api, { model: 'shadow', stream: true })
        expect(textOf(api, reply)).toBe(said)
        expect(terminalsOf(api, reply)).toEqual(['done'])
        kinds.push(reply.events.map(({ event }) => event))
      }
      expect(kinds[1]).toEqual(kinds[0])
    })
  })
})

describe('X02 names with line ends', () => {
  const evil = 'x\r\nset-cookie: a=b\r\n\r\ndata: [DONE]\n\n'
  test.each(ways)('X02 %s %s: ids and models of the upstream break out of nothing', async (api, how) => {
    const manner = { model: evil, fields: { id: evil, system_fingerprint: evil } }
    const toolCalls = [{ id: evil, name: evil, arguments: '{}' }]
    for (const more of [{}, { toolCalls }]) {
      gateway.upstream.enqueue(answering('Fine.', { ...manner, ...more }))
      const reply = await ask(gateway, api, { model: 'plain', stream: how === 'streamed' })
      expect(reply.status).toBe(200)
      expect(reply.headers.get('set-cookie')).toBeNull()
      if (how === 'streamed') expect(terminalsOf(api, reply)).toEqual(['done'])
    }
  })

  test.each(ways)('X02 %s %s: a model that the client names is refused', async (api, how) => {
    const reply = await ask(gateway, api, { model: evil, stream: how === 'streamed' })
    expect(reply.status).toBe(400)
    expect(reply.headers.get('set-cookie')).toBeNull()
    expect(errorOf(reply)).toMatchObject({ message: expect.any(String) })
  })
})

describe('X26 numbers that JavaScript cannot hold', () => {
  const given = '{"n":12345678901234567890,"z":-0,"i":1.0}'
  test.each(ways)('X26 %s %s: valid arguments are passed on as they were written', async (api, how) => {
    const parameters = { type: 'object', properties: { n: { type: 'integer' } } }
    const shapes = {
      chat: { type: 'function', function: { name: 'count', parameters } },
      responses: { type: 'function', name: 'count', parameters, strict: false },
      messages: { name: 'count', input_schema: parameters },
    }
    gateway.upstream.enqueue(answering('', { toolCalls: [{ id: 'a', name: 'count', arguments: given }] }))
    const reply = await ask(gateway, api, { model: 'called', stream: how === 'streamed', fields: { tools: [shapes[api]] } })
    expect(reply.status).toBe(200)
    const isRelayed = api === 'chat' && how === 'streamed'
    const written = isRelayed ? argumentsOf(reply) : reply.body.replaceAll('\\"', '"')
    expect(written).toContain(given)
  })
})

describe('X30 ways around the contract', () => {
  const long = 'one two three four five six'
  const longer = `${long} seven`

  test.each(ways)('X30 %s %s: nothing of a rejected answer is shown', async (api, how) => {
    gateway.upstream.enqueue(answering(long, { reasoning: 'SECRET thoughts' }), answering(longer, { reasoning: 'SECRET thoughts' }))
    const reply = await ask(gateway, api, { model: 'brief', stream: how === 'streamed' })
    expect(reply.status).toBe(422)
    expect(reply.body).not.toContain('three')
    expect(reply.body).not.toContain('SECRET')
  })

  test.each([false, true])('X30 every one of several choices is enforced (stream: %s)', async (stream) => {
    // The first is good; the second is asked for again, twice in vain.
    gateway.upstream.enqueue(answering('Fine.', { more: [long] }), answering(longer))
    const refused = await ask(gateway, 'chat', { model: 'brief', stream, fields: { n: 2 } })
    expect(terminalsOf('chat', refused)).toEqual(stream && refused.status === 200 ? ['error'] : [])
    expect(refused.status === 422 || errorOf(refused) !== undefined).toBe(true)
    expect(refused.body).not.toContain('three')

    gateway.upstream.enqueue(answering('Fine.', { more: [long] }), answering('Fine, too.'))
    const mended = await ask(gateway, 'chat', { model: 'brief', stream, fields: { n: 2 } })
    expect(mended.status).toBe(200)
    expect(mended.body).not.toContain('three')
    const verdicts = stream
      ? dataOf(mended).flatMap(({ stickler }) => (stickler === undefined ? [] : [stickler]))
      : (verdictOf(mended) as unknown as readonly object[])
    expect(verdicts).toMatchObject([
      { status: 'valid', attempts: 1 },
      { status: 'valid', attempts: 2 },
    ])
  })

  test.each(ways)('X30 %s %s: every one of parallel tool calls is enforced', async (api, how) => {
    const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false }
    const shapes = {
      chat: { type: 'function', function: { name: 'get_weather', parameters } },
      responses: { type: 'function', name: 'get_weather', parameters, strict: false },
      messages: { name: 'get_weather', input_schema: parameters },
    }
    const call = (id: string, name: string, given: string) => ({ id, name, arguments: given })
    const good = call('a', 'get_weather', '{"city":"Rome"}')
    for (const bad of [call('b', 'delete_everything', '{}'), call('b', 'get_weather', '{"town":"Oslo"}')]) {
      gateway.upstream.enqueue(answering('', { toolCalls: [good, bad] }), answering('', { toolCalls: [bad, good] }))
      const reply = await ask(gateway, api, { model: 'called', stream: how === 'streamed', fields: { tools: [shapes[api]] } })
      expect(reply.status).toBe(422)
      expect(reply.body).not.toMatch(/"(?:call_id|id)":"b"/)
    }
  })

  test('X30 what is not enforced is never said to be checked', async () => {
    for (const stream of [false, true]) {
      const reply = await ask(gateway, 'chat', { model: 'plain', stream, headers: { 'x-request-id': `unenforced-${stream}` } })
      if (!stream) expect(reply.headers.get('x-stickler-status')).toBe('unenforced')
      expect(verdictOf(reply)).toMatchObject({ contract: '', status: 'unenforced' })
      expect(await keptRun(gateway, `unenforced-${stream}`)).toMatchObject({ status: 'unenforced', contract: '' })
    }
  })
})

describe('X31 other ways in', () => {
  test.each([
    ['/v1/completions', 'plain', { prompt: 'hi' }],
    ['/v1/embeddings', 'brief', { input: 'hi' }],
    ['/v1/images/generations', 'brief', { prompt: 'hi' }],
    ['/v1/moderations', 'brief', { input: 'hi' }],
  ])('X31 %s is passed on and says so', async (path, model, fields) => {
    const response = await gateway.post(path, { model, ...fields })
    expect([response.status, response.headers.get('x-stickler-status')]).toEqual([200, 'unenforced'])
    await response.arrayBuffer()
  })

  test.each([
    '/v1/completions/',
    '/v1/images',
    '/v1/images/generations/',
    '/v1/batches',
    '/v1/proxy/chat/completions',
    '/chat/completions',
  ])('X31 %s leads nowhere', async (path) => {
    const before = gateway.upstream.requests.length
    const response = await gateway.post(path, { model: 'brief', messages: [{ role: 'user', content: 'hi' }] })
    expect(response.status).toBe(404)
    await response.arrayBuffer()
    expect(gateway.upstream.requests.length).toBe(before)
  })

  test.each(ways)('X31 %s %s is enforced', async (api, how) => {
    gateway.upstream.enqueue(answering('one two three four five six'), answering('Fine.'))
    const reply = await ask(gateway, api, { model: 'brief', stream: how === 'streamed' })
    expect(textOf(api, reply)).toBe('Fine.')
    expect(verdictOf(reply)).toMatchObject({ status: 'valid', attempts: 2, contract: 'brief' })
  })

  test('X31 a passed reply that breaks off does not look whole', async () => {
    gateway.upstream.enqueue(({ response, wait }) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('{"object":"text_completion","choices":[')
      void wait(20).then(() => response.destroy())
    })
    const response = await gateway.post('/v1/completions', { model: 'plain', prompt: 'hi' })
    await expect(response.text()).rejects.toThrow()
    gateway.upstream.enqueue(answeringBody({ error: { message: 'no' } }, { status: 500 }))
    expect((await gateway.post('/v1/completions', { model: 'plain', prompt: 'hi' })).status).toBe(500)
  })
})
