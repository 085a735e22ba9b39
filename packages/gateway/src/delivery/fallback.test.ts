import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answering, answeringBody, answeringEvents } from '../testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../testing/test-gateway.ts'
import { ask, errorOf, recordOf, terminalsOf, textOf, verdictOf, ways } from '../testing/wire.ts'

const yaml = `
server: { port: 0 }
upstreams:
  - { name: up, kind: openai, baseUrl: $UP/v1, retries: 0 }
  - { name: claude, kind: anthropic, baseUrl: $UP, apiKeyEnv: UP_KEY, retries: 0 }
contracts:
  brief: { checks: [{ max_words: { limit: 3 } }], retries: 1, stream: hold, fallback: Please ask again later. }
  typed:
    checks: [{ json: { schema: { type: object, required: [ok] } } }]
    retries: 0
    fallback: { ok: false }
  live: { checks: [{ contains: { none: [wrong] } }], retries: 0, fallback: Sorry. }
routes:
  - { model: brief, upstream: up, contract: brief }
  - { model: claude, upstream: claude, contract: brief }
  - { model: typed, upstream: up, contract: typed }
  - { model: live, upstream: up, contract: live }
`
let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
})
afterAll(() => gateway.close())

const secretly = { reasoning: 'one two three four five', toolCalls: [{ id: 'c', name: 'f', arguments: '{}' }] }

describe.each(ways)('the fallback of a contract, %s %s', (api, way) => {
  const stream = way === 'streamed'

  test.each(['brief', 'claude'])('is delivered in place of an answer that breaks it: %s', async (model) => {
    gateway.upstream.enqueue(answering('one two three four'), answering('five words are too many', secretly))
    const reply = await ask(gateway, api, { model, stream })
    expect([reply.status, textOf(api, reply)]).toEqual([200, 'Please ask again later.'])
    expect(verdictOf(reply)).toMatchObject({
      status: 'unresolved',
      fallback: true,
      attempts: 2,
      issues: [{ code: 'MAX_WORDS' }, { code: 'UNKNOWN_TOOL' }],
    })
    expect(reply.body).not.toMatch(/four|"name":"f"/)
    if (stream) expect(terminalsOf(api, reply)).toEqual(['done'])
    else expect([reply.headers.get('x-stickler-status'), reply.headers.get('x-stickler-fallback')]).toEqual(['unresolved', 'true'])
  })

  test('is a JSON value where the contract reads one', async () => {
    gateway.upstream.enqueue(answering('{"no": 1}'))
    const reply = await ask(gateway, api, { model: 'typed', stream })
    expect([textOf(api, reply), verdictOf(reply)?.fallback]).toEqual(['{"ok":false}', true])
  })

  test('is delivered when the provider fails, and not when it says that the request is wrong', async () => {
    gateway.upstream.enqueue(answeringBody({ error: { message: 'down' } }, { status: 500 }))
    const reply = await ask(gateway, api, { model: 'live', stream })
    expect([reply.status, textOf(api, reply), verdictOf(reply)?.failure]).toMatchObject([200, 'Sorry.', { status: 500 }])
    gateway.upstream.enqueue(answeringBody({ error: { message: 'no such field' } }, { status: 400 }))
    expect((await ask(gateway, api, { model: 'live', stream })).status).toBe(400)
  })

  test('does not replace what was shown', async () => {
    gateway.upstream.enqueue(answering('This is shown, this is wrong, and more.'))
    const reply = await ask(gateway, api, { model: 'live', stream })
    if (stream) expect([textOf(api, reply), errorOf(reply)?.code]).toEqual(['This is shown, this is ', 'TEXT_FORBIDDEN'])
    else expect(textOf(api, reply)).toBe('Sorry.')
  })
})

test('a failure in the middle of what is held shows nothing of it', async () => {
  gateway.upstream.enqueue(answering('one two', { events: 2, afterwards: ({ response }) => void response.destroy() }))
  const reply = await ask(gateway, 'chat', { model: 'brief', stream: true })
  expect([textOf('chat', reply), verdictOf(reply)]).toMatchObject(['Please ask again later.', { fallback: true, status: 'unresolved' }])
})

test.each([false, true])('a good choice beside it is kept, streamed: %s', async (stream) => {
  const choices = ['one two', 'one two three four'].map((content, index) => ({
    index,
    finish_reason: 'stop',
    message: { role: 'assistant', content },
  }))
  const chunks = choices.map(({ index, finish_reason, message }) => ({
    object: 'chat.completion.chunk',
    id: 'c',
    choices: [{ index, finish_reason, delta: message }],
  }))
  gateway.upstream.enqueue(
    stream ? answeringEvents(chunks) : answeringBody({ id: 'c', object: 'chat.completion', choices }),
    answering('still far too many words'),
  )
  const reply = await ask(gateway, 'chat', { model: 'brief', stream, fields: { n: 2 } })
  expect(textOf('chat', reply)).toContain('one two')
  expect(reply.body).toContain('Please ask again later.')
  expect(reply.body).not.toMatch(/four|far/)
})

test.each([
  ['a value of a schema', { response_format: { type: 'json_schema', json_schema: { name: 'a', schema: { type: 'object' } } } }],
  ['a call', { tools: [{ type: 'function', function: { name: 'f', parameters: {} } }], tool_choice: 'required' }],
])('is no answer to a request for %s', async (_what, fields) => {
  for (const stream of [false, true]) {
    gateway.upstream.enqueue(answering('one two three four'), answering('one two three four'))
    const reply = await ask(gateway, 'chat', { model: 'brief', stream, fields })
    expect(reply.body).not.toContain('Please ask again later.')
    expect(errorOf(reply)?.code).toBeDefined()
  }
})

test('is recorded, and counted as unresolved', async () => {
  gateway.upstream.enqueue(answering('one two three four'), answering('one two three four'))
  const reply = await ask(gateway, 'chat', { model: 'brief' })
  expect(await recordOf(gateway, reply)).toMatchObject({ status: 'unresolved', fallback: true, delivered: true, httpStatus: 200 })
})
