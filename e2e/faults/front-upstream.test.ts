import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RecordedRequest, startProgrammableUpstream } from '../../packages/gateway/src/testing/programmable-upstream.ts'
import { answering } from '../../packages/gateway/src/testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../packages/gateway/src/testing/test-gateway.ts'
import { apiNames, ask, bodyOf, ways } from '../../packages/gateway/src/testing/wire.ts'

const paths = { chat: '/v1/chat/completions', responses: '/v1/responses', messages: '/v1/messages' } as const
const clientKey = 'client-key-0123456789'

let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway({
    env: { STICKLER_KEYS: `tester:${clientKey}` },
    yaml: `
upstreams:
  - { name: up, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }
  - { name: claude, kind: anthropic, baseUrl: $UP/claude, apiKeyEnv: UP_KEY, retries: 0 }
contracts: { brief: { checks: [{ max_words: { limit: 5 } }] } }
routes:
  - { model: brief, upstream: up, contract: brief }
  - { model: free, upstream: up }
  - { model: claude, upstream: claude, contract: brief }
`,
  })
})
afterAll(() => gateway.close())

/** Sends headers that `fetch` would not. */
function sendAnything(path: string, body: unknown, headers: Readonly<Record<string, string>>): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(`${gateway.url}${path}`, { method: 'POST', headers: { 'content-type': 'application/json', ...headers } })
    outgoing.on('error', reject)
    outgoing.on('response', (response) => response.resume().on('end', () => resolve(response.statusCode ?? 0)))
    outgoing.end(JSON.stringify(body))
  })
}

describe('H03 headers of the client', () => {
  const forged = {
    connection: 'keep-alive, x-hop, x-secret',
    'keep-alive': 'timeout=5',
    'proxy-authorization': 'Basic Y2FuYXJ5',
    'proxy-connection': 'keep-alive',
    te: 'trailers',
    trailer: 'x-later',
    'x-hop': 'canary',
    'x-secret': 'canary',
    cookie: 'session=canary',
    forwarded: 'for=canary',
    'x-forwarded-for': '203.0.113.9',
    'x-forwarded-host': 'evil.example',
    'x-behaviour': 'canary',
    'openai-organization': 'canary',
    'anthropic-beta': 'feature-2026-01-01',
    'accept-encoding': 'gzip',
    'user-agent': 'canary',
  }

  test.each(apiNames.flatMap((api) => ['brief', 'claude'].map((model) => [api, model] as const)))(
    'H03 %s, model %s: none reaches the upstream, and its key is the only one',
    async (api, model) => {
      for (const credentials of [{ authorization: `Bearer ${clientKey}` }, { 'x-api-key': clientKey }]) {
        expect(await sendAnything(paths[api], bodyOf(api, { model }), { ...forged, ...credentials })).toBe(200)
        const { rawHeaders = [], headers = {} }: Partial<RecordedRequest> = gateway.upstream.requests.at(-1) ?? {}
        const names = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase())
        const usual = [
          'host',
          'connection',
          'content-type',
          'content-length',
          'accept-encoding',
          'user-agent',
          'accept',
          'anthropic-version',
        ]
        const own =
          api === 'messages' && model === 'claude' ? ['x-api-key', 'anthropic-beta'] : [model === 'claude' ? 'x-api-key' : 'authorization']
        expect(names.filter((name) => !usual.includes(name))).toEqual(own)
        expect(headers.authorization ?? headers['x-api-key']).toMatch(/^(?:Bearer )?upstream-secret-key$/)
        expect(headers.host).toBe(new URL(gateway.upstream.url).host)
        expect(rawHeaders.join('\n')).not.toMatch(/canary|client-key|evil|203\.0|trailers|gzip/)
      }
    },
  )

  test('H04 only a well-formed traceparent travels on', async () => {
    const good = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
    for (const [traceparent, sent] of [
      [good, good],
      [`${good}-x`, undefined],
      ['{"a":"b"}', undefined],
      ['x'.repeat(400), undefined],
      [`00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, undefined],
    ] as const) {
      await ask(gateway, 'chat', { model: 'brief', headers: { traceparent, authorization: `Bearer ${clientKey}` } })
      expect(gateway.upstream.requests.at(-1)?.headers.traceparent).toBe(sent)
    }
  })

  test('H03 an upgrade is not made', async () => {
    const status = await sendAnything('/v1/chat/completions', bodyOf('chat', { model: 'brief' }), {
      authorization: `Bearer ${clientKey}`,
      connection: 'upgrade',
      upgrade: 'websocket',
    })
    expect(status).toBe(200)
    expect(gateway.upstream.requests.at(-1)?.headers).not.toHaveProperty('upgrade')
  })
})

describe('S05 an upstream that the client chooses', () => {
  test.each(ways)('S05 %s %s: the other one is never contacted, and hears no key', async (api, how) => {
    const other = await startProgrammableUpstream(answering('Stolen.'))
    const chosen = {
      ...{ api_base: other.url, base_url: other.url, baseURL: other.url, custom_host: other.url, endpoint: other.url, proxy: other.url },
      ...{ api_key: 'sk-mine', apiKey: 'sk-mine', extra_headers: { host: other.url }, headers: { host: other.url } },
      ...{
        litellm_params: { api_base: other.url },
        fallbacks: [{ api_base: other.url }],
        user_config: { model_list: [{ api_base: other.url }] },
      },
      extra_body: { api_base: other.url },
      stickler: { context: { api_base: other.url } },
      metadata: { api_base: other.url, headers: `host: ${other.url}` },
    }
    const headers = {
      authorization: `Bearer ${clientKey}`,
      ...{ 'x-api-base': other.url, 'x-base-url': other.url, 'x-portkey-custom-host': other.url, 'x-stickler-upstream': other.url },
      ...{ 'x-forwarded-host': new URL(other.url).host, 'x-original-url': other.url, 'x-upstream-url': other.url },
    }
    const tools = { chat: [chatTool(other.url)], responses: [flatTool(other.url)], messages: [ownTool(other.url)] }[api]
    try {
      const before = gateway.upstream.requests.length
      const question = { model: 'brief', stream: how === 'streamed', headers }
      const reply = await ask(gateway, api, { ...question, fields: { ...chosen, tools } })
      expect([200, 400]).toContain(reply.status)
      expect((await ask(gateway, api, { ...question, fields: chosen })).status).toBe(200)
      const sent = gateway.upstream.requests.slice(before)
      expect(sent.length).toBeGreaterThan(0)
      for (const { json, headers: theirs } of sent) {
        for (const name of Object.keys(chosen)) if (name !== 'metadata') expect(json).not.toHaveProperty(name)
        expect(JSON.stringify(theirs)).not.toContain(new URL(other.url).host)
        expect(theirs.authorization).toBe('Bearer upstream-secret-key')
      }
      expect(other.connections).toBe(0)
    } finally {
      await other.close()
    }
  })

  test('S05 passed on as they are, embeddings and completions choose nothing either', async () => {
    const other = await startProgrammableUpstream(answering('Stolen.'))
    try {
      for (const [path, model, body] of [
        ['/v1/embeddings', 'brief', { input: 'x' }],
        ['/v1/completions', 'free', { prompt: 'x' }],
      ] as const) {
        const fields = { model, ...body, api_base: other.url, api_key: 'sk-mine', extra_headers: { host: other.url } }
        const response = await gateway.post(path, fields, { authorization: `Bearer ${clientKey}` })
        await response.text()
        expect([response.status, response.headers.get('x-stickler-status')]).toEqual([200, 'unenforced'])
        expect(Object.keys(gateway.upstream.requests.at(-1)?.json ?? {}).sort()).toEqual(['model', Object.keys(body)[0]].sort())
      }
      expect(other.connections).toBe(0)
    } finally {
      await other.close()
    }
  })
})

const parameters = { type: 'object', properties: { city: { type: 'string' } } }

function chatTool(url: string): object {
  return { type: 'function', api_base: url, function: { name: 'weather', description: url, parameters: { ...parameters, $id: url } } }
}

function flatTool(url: string): object {
  return { type: 'function', name: 'weather', server_url: url, headers: { host: url }, parameters: { ...parameters, $id: url } }
}

function ownTool(url: string): object {
  return { name: 'weather', description: url, input_schema: { ...parameters, $schema: url, $id: url } }
}
