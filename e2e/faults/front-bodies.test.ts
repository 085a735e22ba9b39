import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RecordedRequest } from '../../packages/gateway/src/testing/programmable-upstream.ts'
import { answering } from '../../packages/gateway/src/testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway, usualYaml } from '../../packages/gateway/src/testing/test-gateway.ts'
import { type ApiName, apiNames, ask, bodyOf, textOf } from '../../packages/gateway/src/testing/wire.ts'

const paths = { chat: '/v1/chat/completions', responses: '/v1/responses', messages: '/v1/messages' } as const

let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway({
    yaml: usualYaml.replace('model: plain,', 'model: plain, messages: { count: 100, characters: 100000 },'),
  })
})
afterAll(() => gateway.close())

/** What the upstream was asked last. */
function lastCall(): RecordedRequest {
  const last = gateway.upstream.requests.at(-1)
  if (last === undefined) throw new Error('the upstream was not asked')
  return last
}

interface Got {
  readonly status: number
  readonly json: { readonly error?: { readonly message: string; readonly param?: string; readonly code?: string } }
  readonly contract: string | null
}

async function sendBytes(api: ApiName, body: string | Uint8Array<ArrayBuffer>): Promise<Got> {
  const response = await fetch(`${gateway.url}${paths[api]}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
  return { status: response.status, json: isJson ? JSON.parse(text) : {}, contract: response.headers.get('x-stickler-contract') }
}

/** The body of a question with another field of the same name behind it. */
function twice(api: ApiName, name: string, first: unknown, second: unknown): string {
  const { [name]: _one, ...rest } = bodyOf(api, { model: 'brief' })
  return `{"${name}":${JSON.stringify(first)},${JSON.stringify(rest).slice(1, -1)},"${name}":${JSON.stringify(second)}}`
}

describe('H12 keys that are there twice', () => {
  test.each(apiNames)('H12 %s: the model that is enforced is the model that is asked for', async (api) => {
    for (const [first, second, contract] of [
      ['plain', 'brief', 'brief'],
      ['brief', 'plain', ''],
    ] as const) {
      gateway.upstream.enqueue(answering('Use spaces.'))
      const got = await sendBytes(api, twice(api, 'model', first, second))
      expect([got.status, got.contract]).toEqual([200, contract])
      const { body, json } = lastCall()
      expect(json?.model).toBe(second === 'plain' ? 'real-model' : 'brief')
      expect(body.match(/"model":/g)).toHaveLength(1)
    }
  })

  test.each(apiNames)('H12 %s: a stream that is asked for is a stream that is sent', async (api) => {
    for (const stream of [true, false]) {
      const response = await fetch(`${gateway.url}${paths[api]}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: twice(api, 'stream', !stream, stream),
      })
      await response.text()
      expect(response.headers.get('content-type')).toMatch(stream ? 'text/event-stream' : 'application/json')
      const { body, json } = lastCall()
      expect(json?.stream === true).toBe(stream)
      expect(body.match(/"stream":/g)?.length ?? 0).toBeLessThan(2)
    }
  })

  test('H12 messages: one list, the one that is counted and checked', async () => {
    const body =
      '{"model":"brief","messages":[{"role":"user","content":"first"}],"messages":[{"role":"user","content":"a","content":"second"}]}'
    expect((await sendBytes('chat', body)).status).toBe(200)
    expect(gateway.upstream.requests.at(-1)?.json?.messages).toEqual([{ role: 'user', content: 'second' }])
    expect(gateway.upstream.requests.at(-1)?.body).not.toContain('first')
  })
})

describe('H13 text that is none', () => {
  const before = Buffer.from('{"model":"plain","messages":[{"role":"user","content":"')
  const around = (inside: Uint8Array) => new Uint8Array(Buffer.concat([before, inside, Buffer.from('"}]}')]))

  test.each([
    ['a lone continuation byte', Buffer.of(0x80)],
    ['an overlong slash', Buffer.of(0xc0, 0xaf)],
    ['half a character', Buffer.of(0xe2, 0x82)],
    ['a surrogate in UTF-8', Buffer.of(0xed, 0xa0, 0x80)],
    ['Latin-1', Buffer.from('ä', 'latin1')],
    ['a bare NUL', Buffer.of(0)],
  ])('H13 %s: 400, the upstream hears nothing', async (_name, bytes) => {
    const calls = gateway.upstream.requests.length
    expect((await sendBytes('chat', around(bytes))).status).toBe(400)
    expect(gateway.upstream.requests.length).toBe(calls)
  })

  test.each(apiNames)('H13 %s: a byte order mark is no part of the body', async (api) => {
    expect((await sendBytes(api, `\ufeff${JSON.stringify(bodyOf(api, { model: 'plain' }))}`)).status).toBe(200)
    expect(gateway.upstream.requests.at(-1)?.json).toBeDefined()
  })

  test.each([
    ['an escaped lone surrogate', '\\ud800 tail'],
    ['an escaped NUL', 'a\\u0000b'],
    ['separators of lines', '\u2028\u2029\u0085'],
    ['characters beyond the first plane', '😀\\ud83d\\ude00'],
    ['a mark within', 'a\ufeffb'],
  ])('H13 %s: 400, or the upstream reads exactly what was sent', async (_name, written) => {
    for (const api of apiNames) {
      const body = JSON.stringify(bodyOf(api, { model: 'plain', prompt: 'MARK' })).replace('MARK', () => written)
      const { status } = await sendBytes(api, body)
      if (status === 400) continue
      expect(status).toBe(200)
      const sent = gateway.upstream.requests.at(-1)?.json as { messages: { content: unknown }[] }
      const content = sent.messages[0]?.content
      const text = typeof content === 'string' ? content : (content as { text: string }[])[0]?.text
      expect(text).toBe(JSON.parse(`"${written}"`))
    }
  })

  test('H13 what the model answers with is checked and delivered as the same text', async () => {
    const odd = 'a\u0000b 😀 \ud800 \u2028'
    for (const stream of [false, true]) {
      gateway.upstream.enqueue(answering(odd))
      const reply = await ask(gateway, 'chat', { model: 'plain', stream })
      expect([reply.status, textOf('chat', reply)]).toEqual([200, odd])
    }
  })
})

describe('H14 wrong types', () => {
  const many = (count: number) => Array.from({ length: count }, () => ({ role: 'user', content: 'x' }))
  type Case = readonly [field: string, value: () => unknown, param: RegExp]
  const cases: Readonly<Record<ApiName, readonly Case[]>> = {
    chat: [
      ...listCases('messages'),
      ...common(),
      ['n', () => 1e9, /^n$/],
      ['n', () => 0, /^n$/],
      ['n', () => 'x', /^n$/],
      ['max_tokens', () => -1, /^max_tokens$/],
    ],
    responses: [
      ['input', () => ({}), /^input$/],
      ['input', () => 7, /^input$/],
      ['input', () => [null], /^input\[0\]$/],
      ['input', () => many(100_000), /^(?:input|messages|The)$/],
      ...common(),
      ['max_output_tokens', () => -1, /^max_output_tokens$/],
    ],
    messages: [...listCases('messages'), ...common(), ['max_tokens', () => -1, /^max_tokens$/], ['max_tokens', () => null, /^max_tokens$/]],
  }

  function listCases(name: string): Case[] {
    return [
      [name, () => ({}), /^messages$/],
      [name, () => 'x', /^messages$/],
      [name, () => [], /^messages$/],
      [name, () => [null], /^messages\[0\]$/],
      [name, () => [[]], /^messages\[0\]$/],
      [name, () => [{ role: 7, content: 'x' }], /^messages\[0\]/],
      [name, () => [{ role: 'user', content: 7 }], /^messages\[0\]\.content/],
      [name, () => many(101), /^messages$/],
      [name, () => many(100_000), /^(?:messages|The)$/],
      [name, () => [{ role: 'user', content: 'x'.repeat(100_001) }], /^messages\[0\]\.content$/],
    ]
  }

  function common(): Case[] {
    return [
      ['tools', () => 'x', /^tools$/],
      ['tools', () => [null], /^tools\[0\]$/],
      ['tools', () => Array(10_000).fill({}), /^tools/],
      ['stream', () => 'yes', /^stream$/],
      ['temperature', () => '1', /^temperature$/],
      ['model', () => 7, /^model$/],
      ['model', () => '', /^model$/],
      ['model', () => 'x'.repeat(10_000), /^model$/],
      ['model', () => 'a\nb', /^model$/],
      ['stickler', () => 'off', /^stickler$/],
    ]
  }

  describe.each(apiNames)('H14 %s', (api) => {
    test.each(
      cases[api].map(
        ([field, value, param]) => [`${field}: ${(JSON.stringify(value()) ?? '').slice(0, 30)}`, field, value, param] as const,
      ),
    )('H14 %s: 400 that names the parameter; the upstream hears nothing', async (_name, field, value, param) => {
      const calls = gateway.upstream.requests.length
      const got = await sendBytes(api, JSON.stringify({ ...bodyOf(api, { model: 'plain' }), [field]: value() }))
      expect(got.status).toBe(400)
      // Anthropic's errors have no param; the message begins with it.
      const named = got.json.error?.param ?? got.json.error?.message.split(/ |: /)[0]?.replace(/:$/, '')
      expect(named).toMatch(param)
      expect(gateway.upstream.requests.length).toBe(calls)
    })
  })
})

describe('H11 deep bodies', () => {
  test.each(apiNames)('H11 %s: 400, and the process goes on', async (api) => {
    for (const body of ['['.repeat(100_000), '{"a":'.repeat(50_000), `{"messages":${'['.repeat(300)}${']'.repeat(300)}}`])
      expect((await sendBytes(api, body)).status).toBe(400)
    expect((await ask(gateway, api, { model: 'plain' })).status).toBe(200)
  })
})
