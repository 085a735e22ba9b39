import { once } from 'node:events'
import { createServer } from 'node:http'
import { type ClientHttp2Session, connect } from 'node:http2'
import { type AddressInfo, connect as connectSocket, type Socket } from 'node:net'
import { assistanceService } from '@stickler/presets/internal'
import { service as healthService } from 'grpc-health-check'
import { afterEach, describe, expect, test } from 'vitest'
import { grpcClient } from '../../packages/gateway/src/routes/grpc/testing/grpc-client.ts'
import { answering } from '../../packages/gateway/src/testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../packages/gateway/src/testing/test-gateway.ts'
import { type ApiName, apiNames, bodyOf } from '../../packages/gateway/src/testing/wire.ts'
import { startParserService } from '../../packages/parser/src/service/parser-service.ts'
import { fakeParser } from '../../packages/parser/src/testing/fake-parser.ts'
import { rawClient } from '../../packages/parser/src/testing/raw-client.ts'
import { loadParserProto, parserServiceName } from '../../packages/parser/src/wire/parser-proto.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const keys = { STICKLER_KEYS: 'alice:alice-key-0123456789,bob:bob-key-0123456789', STICKLER_OPERATOR_KEYS: 'olga:olga-key-0123456789' }
const as = (name: string) => ({ authorization: `Bearer ${name}-key-0123456789` })

async function serve(yaml: string, options: Parameters<typeof startTestGateway>[0] = {}): Promise<TestGateway> {
  const gateway = await startTestGateway({ yaml, env: keys, ...options })
  closing.push(() => gateway.close())
  return gateway
}

describe('streams that are begun and never ended', () => {
  const paths = (service: string, method: string) => [
    '/grpc.health.v1.Health/Check',
    '/grpc.health.v1.Health/Watch',
    `/${service}/${method}`,
    '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo',
  ]

  /** Opens streams on several connections, none of which is ended, and another in the place of each that the server ends; gives how to stop. */
  function begin(port: number, path: string, headers: Readonly<Record<string, string>> = {}, connections = 6): () => void {
    const sessions: ClientHttp2Session[] = []
    const open = (session: ClientHttp2Session): void => {
      if (session.closed || session.destroyed) return
      const begun = session.request({ ':method': 'POST', ':path': path, 'content-type': 'application/grpc', te: 'trailers', ...headers })
      begun.on('error', () => {})
      begun.on('close', () => setTimeout(() => open(session), 50))
      begun.resume()
      begun.write(Buffer.from([0, 0, 0]))
    }
    for (let index = 0; index < connections; index++) {
      const session = connect(`http://127.0.0.1:${port}`)
      session.on('error', () => {})
      sessions.push(session)
      for (let stream = 0; stream < 32; stream++) open(session)
    }
    const stop = (): void => {
      for (const session of sessions) session.destroy()
    }
    closing.push(stop)
    return stop
  }

  const check = (port: number) => {
    const raw = rawClient(port)
    closing.push(raw.close)
    return raw.call(healthService.Check as never, { service: '' }, 10_000)
  }

  test('leave the gateway its health checks and questions, whatever their method', async () => {
    const gateway = await serve(`
server: { port: 0 }
upstreams: [{ name: up, kind: openai, baseUrl: $UP/v1, model: m, retries: 0 }]
ask: { upstreams: [up], pipeline: avap }
retrieval: { index: ./index.db, embeddings: local }
grpc: { port: 0 }
`)
    const url = gateway.grpcUrl ?? ''
    const port = Number(new URL(url.replace('grpc:', 'http:')).port)
    for (const path of paths(assistanceService.name, 'AskAgent')) {
      const stop = begin(port, path, path.includes('health') ? {} : as('alice'))
      await new Promise((resolve) => setTimeout(resolve, 100))
      expect([path, await check(port)]).toEqual([path, { reply: { status: 'SERVING' } }])
      const client = grpcClient(url)
      closing.push(client.close)
      const asked = await client.ask('AskAgent', 'Why?', '', { metadata: as('bob'), deadlineMs: 10_000 })
      expect([path, asked.code]).toEqual([path, 0])
      expect((await gateway.get('/healthz')).status).toBe(200)
      stop()
    }
  }, 60_000)

  test('leave a parser service its health checks and verdicts', async () => {
    const service = await startParserService({ parser: fakeParser() })
    closing.push(() => service.close(0))
    for (const path of paths(parserServiceName, 'Parse')) {
      const stop = begin(service.port, path)
      await new Promise((resolve) => setTimeout(resolve, 100))
      expect([path, await check(service.port)]).toEqual([path, { reply: { status: 'SERVING' } }])
      const raw = rawClient(service.port)
      closing.push(raw.close)
      expect([path, await raw.call(loadParserProto().methods.Parse, { language: 'python', source: 'x = 1' }, 10_000)]).toEqual([
        path,
        { reply: { verdict: 'VALID', trace: [] } },
      ])
      stop()
    }
  }, 60_000)
})

describe('bodies that are sent slowly', () => {
  /** Sends headers and the first byte of a body, and keeps the connection. */
  function hold(gateway: TestGateway, count: number, headers: Readonly<Record<string, string>>): readonly Socket[] {
    const { port } = new URL(gateway.url)
    return Array.from({ length: count }, () => {
      const socket = connectSocket({ port: Number(port), host: '127.0.0.1' })
      socket.on('error', () => {})
      closing.push(() => socket.destroy())
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
      socket.write(
        `POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n${lines.join('')}\r\n{`,
      )
      return socket
    })
  }

  test('by one key leave the others their places', async () => {
    const gateway = await serve(`
upstreams: [{ name: up, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }]
routes: [{ model: plain, upstream: up }]
`)
    hold(gateway, 600, as('alice'))
    await new Promise((resolve) => setTimeout(resolve, 500))
    const chat = { model: 'plain', messages: [{ role: 'user', content: 'Hi' }] }
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all(Array.from({ length: 8 }, () => gateway.post('/v1/chat/completions', chat, as('bob'))))
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200))
    }
    expect((await gateway.get('/healthz')).status).toBe(200)
  }, 30_000)
})

describe('answers that take long to parse', () => {
  test.each(['local', 'service'])(
    'of one key do not leave the code of another key unchecked: %s',
    async (kind) => {
      const service = kind === 'service' ? await startParserService({ quiet: true, timeoutMs: 20_000 }) : undefined
      if (service !== undefined) closing.push(() => service.close(0))
      const gateway = await serve(`
parser: ${service === undefined ? 'local' : `{ url: grpc://127.0.0.1:${service.port}, timeout: 20 }`}
upstreams: [{ name: up, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }]
contracts: { code: { checks: [{ code_syntax: {} }], retries: 0, timeoutMs: 60000, unchecked: deliver } }
routes: [{ model: code, upstream: up, contract: code }]
`)
      let count = 0
      gateway.upstream.otherwise((exchange) => {
        const prompt = JSON.stringify(exchange.request.json?.messages)
        if (prompt.includes('python')) return answering(`\`\`\`python\nx = ${++count}\n\`\`\`\n`)(exchange)
        const lines = Array.from({ length: 2900 }, (_, index) => `key_${++count}: ${index}`)
        return answering(`\`\`\`yaml\n${lines.join('\n')}\n\`\`\`\n`)(exchange)
      })
      const stop = new AbortController()
      closing.push(() => stop.abort())
      const ask = (content: string, name: string) =>
        gateway.post('/v1/chat/completions', { model: 'code', messages: [{ role: 'user', content }] }, as(name), stop.signal)
      // Loading a grammar does not count.
      await ask('python 1', 'bob')
      let ended = 0
      for (let index = 0; index < 80; index++)
        void ask('yaml', 'alice').then(
          () => ended++,
          () => {},
        )
      await expect.poll(() => gateway.upstream.requests.length, { timeout: 90_000 }).toBe(81)
      const before = ended
      const answer = await ask('python 2', 'bob')
      expect(answer.headers.get('x-stickler-status')).toBe('valid')
      // Nobody waits for long at a service, which says so in time.
      expect(ended - before).toBeLessThan(kind === 'local' ? 20 : 80)
    },
    180_000,
  )
})

describe('a service that fails at the answers of one key', () => {
  const slow = /slow/

  test('is still asked about those of another: parser', async () => {
    const parser = fakeParser(({ source }) => (slow.test(source) ? new Promise(() => {}) : { verdict: 'valid' }))
    const service = await startParserService({ parser })
    closing.push(() => service.close(0))
    await expectFair(
      `parser: { url: 'grpc://127.0.0.1:${service.port}', timeout: 3, breaker: { failures: 1, cooldown: 600 } }`,
      '{ code_syntax: {} }',
    )
  }, 30_000)

  test('is still asked about those of another: remote rule', async () => {
    const rule = createServer((request, response) => {
      let body = ''
      request.on('data', (piece) => {
        body += String(piece)
      })
      request.on('end', () => {
        // A probe has no body.
        if (slow.test(body) || body === '') return response.writeHead(500).end()
        const { id } = JSON.parse(body) as { readonly id: string }
        response.setHeader('content-type', 'application/json').end(JSON.stringify({ id, issues: [] }))
      })
    }).listen(0, '127.0.0.1')
    closing.push(() => rule.close())
    await once(rule, 'listening')
    const { port } = rule.address() as AddressInfo
    await expectFair('', `{ remote: { name: own, url: 'http://127.0.0.1:${port}/' } }`)
  }, 30_000)

  /** Lets one key have more failures in a row than open a circuit, and then another key ask. */
  async function expectFair(yaml: string, check: string): Promise<void> {
    const gateway = await serve(`
${yaml}
upstreams: [{ name: up, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }]
contracts: { code: { checks: [${check}], retries: 0, timeoutMs: 20000, unchecked: deliver } }
routes: [{ model: code, upstream: up, contract: code }]
`)
    let count = 0
    gateway.upstream.otherwise((exchange) => {
      const isSlow = slow.test(JSON.stringify(exchange.request.json?.messages))
      return answering(`\`\`\`python\n${isSlow ? 'slow' : 'fast'} = ${++count}\n\`\`\`\n`)(exchange)
    })
    const ask = async (content: string, name: string, stream = false) => {
      const reply = await gateway.post('/v1/chat/completions', { model: 'code', stream, messages: [{ role: 'user', content }] }, as(name))
      return /"status":"(\w+)"/.exec(await reply.text())?.[1]
    }
    expect(await ask('fast', 'bob')).toBe('valid')
    for (const stream of [false, true]) {
      for (let round = 0; round < 6; round++) expect(await ask('slow', 'alice', stream)).toBe('unchecked')
      expect([await ask('fast', 'alice', stream), await ask('fast', 'bob', stream), await ask('fast', 'bob', stream)]).toEqual([
        'unchecked',
        'valid',
        'valid',
      ])
    }
    // Operators are told that it is one caller's.
    expect(await (await gateway.get('/readyz', as('olga'))).json()).toMatchObject({ status: 'ready' })
    expect(await (await gateway.get('/metrics', as('olga'))).text()).not.toMatch(/^stickler_parser_circuit\w*\{state="open"\} [1-9]/m)
    const openings = gateway.logLines.filter((line) => line.includes('"status":"open"'))
    expect(openings).toEqual([expect.stringContaining('(for one caller)')])
  }
})

describe('a key with as many requests as it may have', () => {
  test('is told to come back, on every API, and others are served', async () => {
    const gateway = await serve(`
limits: { perKey: { concurrency: 2 } }
server: { port: 0 }
upstreams: [{ name: up, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, model: m, retries: 0 }]
routes: [{ model: plain, upstream: up }]
retrieval: { index: ./index.db, embeddings: local }
ask: { upstreams: [up], pipeline: avap }
grpc: { port: 0 }
`)
    let release = (): void => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    gateway.upstream.otherwise(async (exchange) => {
      await released
      return answering('Hello.')(exchange)
    })
    const path = { chat: '/v1/chat/completions', responses: '/v1/responses', messages: '/v1/messages' }
    const send = (api: ApiName, name: string, stream = false) =>
      gateway.post(path[api], bodyOf(api, { model: 'plain', stream, fields: api === 'messages' ? { max_tokens: 10 } : {} }), as(name))
    const running = [send('chat', 'alice'), send('messages', 'alice', true)]
    await expect.poll(() => gateway.upstream.requests.length).toBe(2)
    for (const api of apiNames) {
      for (const stream of [false, true]) {
        const refused = await send(api, 'alice', stream)
        const { status, headers } = refused
        expect([status, headers.get('retry-after'), headers.get('x-should-retry')]).toEqual([429, '1', 'true'])
        expect(await refused.text()).toContain('rate_limit_error')
      }
    }
    const others = [send('chat', 'bob'), send('responses', 'bob')]
    await expect.poll(() => gateway.upstream.requests.length).toBe(4)
    release()
    for (const answer of await Promise.all([...running, ...others])) expect(answer.status).toBe(200)
    expect((await send('chat', 'alice')).status).toBe(200)
  }, 30_000)
})
