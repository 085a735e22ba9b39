import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { contract } from '../index.ts'
import { anthropicMiddleware, enforcedFetch } from './index.ts'

/** A provider that refuses everything. */
let server: Server
let url: string
let calls: number
let refuse: (response: ServerResponse) => void

const refusing =
  (status: number, body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}) =>
  (response: ServerResponse): void =>
    void response.writeHead(status, { 'content-type': 'application/json', 'retry-after-ms': '1', 'x-own': 'kept', ...headers }).end(body)
const said = 'Your prompt was flagged.'
const body = JSON.stringify({ type: 'error', error: { type: 'some_error', message: said } })

beforeAll(async () => {
  server = createServer((request, response) =>
    request.resume().on('end', () => {
      calls++
      refuse(response)
    }),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  calls = 0
})

const contracts = {
  'without checks': contract({ checks: [] }),
  'with checks': contract({ checks: [{ max_words: 5 }] }),
  'with a deadline': contract({ checks: [], budget: { deadlineMs: 60_000 } }),
}
const messages = [{ role: 'user' as const, content: 'x' }]

type Ask = (stream: boolean) => Promise<unknown>
type Way = Pick<NonNullable<ConstructorParameters<typeof Anthropic>[0]>, 'fetch' | 'middleware'>
const openai = (fetch?: typeof globalThis.fetch): Ask => {
  const client = new OpenAI({ apiKey: 'k', baseURL: `${url}/v1`, maxRetries: 2, ...(fetch && { fetch }) })
  return async (stream) => client.chat.completions.create({ model: 'm', messages, stream })
}
const anthropic = (way: Way = {}): Ask => {
  const client = new Anthropic({ apiKey: 'k', baseURL: url, maxRetries: 2, ...way })
  return async (stream) => client.messages.create({ model: 'm', max_tokens: 9, messages, stream })
}
const clients: readonly (readonly [name: string, plain: () => Ask, ours: (one: Parameters<typeof enforcedFetch>[0]) => Ask])[] = [
  ['openai', openai, (one) => openai(enforcedFetch(one))],
  ['@anthropic-ai/sdk', anthropic, (one) => anthropic({ fetch: enforcedFetch(one) })],
  ['@anthropic-ai/sdk with its middleware', anthropic, (one) => anthropic({ middleware: [anthropicMiddleware(one)] })],
]

/** What a client throws, and how often it asked. */
async function thrownBy(ask: Ask, stream: boolean): Promise<unknown> {
  calls = 0
  const thrown: unknown = await ask(stream).catch((error: unknown) => error)
  const { status, message } = thrown as Error & { readonly status?: number }
  return { class: (thrown as Error).constructor.name, status, message, calls }
}

describe.each(clients)('%s sees an error as without us', (_, plain, ours) => {
  describe.each(Object.entries(contracts))('%s', (__, one) => {
    for (const stream of [false, true]) {
      test.each([400, 401, 429, 529])(`%i, stream: ${stream}`, async (status) => {
        refuse = refusing(status, body)
        const seen = await thrownBy(ours(one), stream)
        expect(seen).toEqual(await thrownBy(plain(), stream))
        expect(seen).toMatchObject({ status, message: expect.stringContaining(said), calls: status > 401 ? 3 : 1 })
      })
    }
  })
})

describe.each([false, true])('the response of a refused request, stream: %s', (stream) => {
  const post = (more: RequestInit = {}, one = contracts['with a deadline']): Promise<Response> =>
    enforcedFetch(one)(`${url}/v1/chat/completions`, { method: 'POST', body: JSON.stringify({ model: 'm', messages, stream }), ...more })

  test.each<[string, string | Uint8Array, Record<string, string>, string]>([
    ['empty', '', {}, ''],
    ['of a megabyte', 'é'.repeat(500_000), {}, 'é'.repeat(500_000)],
    ['no UTF-8', Uint8Array.of(0xff, 0x41), {}, '\ufffdA'],
    ['packed', gzipSync(body), { 'content-encoding': 'gzip' }, body],
  ])('%s', async (_, sent, headers, text) => {
    refuse = refusing(400, sent, headers)
    const response = await post()
    expect([response.status, response.bodyUsed, response.headers.get('x-own')]).toEqual([400, false, 'kept'])
    // The length would be that of the packed body.
    expect([response.headers.get('content-encoding'), response.headers.get('content-length')]).toEqual([null, null])
    expect(await response.text()).toBe(text)
  })

  test('one that breaks off keeps its status, and what came', async () => {
    refuse = (response) => {
      response.writeHead(503, { 'content-length': '100' }).write('{"error', () => setTimeout(() => response.destroy(), 20))
    }
    const response = await post()
    expect([response.status, await response.text()]).toEqual([503, '{"error'])
  })

  test('an endless one is cut', async () => {
    refuse = (response) => {
      response.writeHead(500)
      const more = (): void => void (response.destroyed || response.write('x'.repeat(65_536), () => setImmediate(more)))
      more()
    }
    const response = await post()
    expect(response.status).toBe(500)
    expect((await response.text()).length).toBeLessThan(2_000_000)
  })

  test('one without a body has none', async () => {
    refuse = (response) => void response.writeHead(304).end()
    const response = await post()
    expect([response.status, response.body, await response.text()]).toEqual([304, null, ''])
  })

  test('one with a status that no response can be made with is described', async () => {
    refuse = refusing(999, body)
    const response = await post()
    expect([response.status, await response.text()]).toEqual([502, expect.stringContaining('the unexpected status 999')])
  })

  test('one that stalls ends with the deadline, or with the client', async () => {
    refuse = (response) => void response.writeHead(400).write('half')
    expect((await post({}, contract({ checks: [], budget: { deadlineMs: 200 } }))).status).toBe(504)
    await expect(post({ signal: AbortSignal.timeout(200) })).rejects.toMatchObject({ name: 'TimeoutError' })
  })
})
