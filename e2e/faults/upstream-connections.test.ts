import { createServer } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { forgetFailures, startFaultGateway } from '../../packages/gateway/src/testing/fault-gateway.ts'
import { type Behaviour, closedPort, startProgrammableUpstream } from '../../packages/gateway/src/testing/programmable-upstream.ts'
import { answering } from '../../packages/gateway/src/testing/programmable-upstream-answers.ts'
import {
  closingAfter,
  dripping,
  rawResponse,
  redirecting,
  shortBody,
  silence,
  stalling,
} from '../../packages/gateway/src/testing/programmable-upstream-faults.ts'
import { startTestGateway, type TestGateway } from '../../packages/gateway/src/testing/test-gateway.ts'
import { apiNames, ask, errorOf, textOf, ways } from '../../packages/gateway/src/testing/wire.ts'

let gateway: TestGateway

beforeAll(async () => {
  gateway = await startFaultGateway()
})
beforeEach(async () => {
  await forgetFailures(gateway)
  gateway.upstream.otherwise(answering('Fine.'))
})
afterAll(() => gateway.close())

const errorShape = { message: expect.any(String), type: expect.any(String) }

describe('U01 the port is closed', () => {
  test('U01 502 in the shape of the API after all attempts; the process lives', async () => {
    const yaml = `
upstreams: [{ name: up, kind: openai, baseUrl: ${await closedPort()}/v1, retries: 1 }]
contracts: { brief: { checks: [{ max_words: { limit: 5 } }] } }
routes: [{ model: brief, upstream: up, contract: brief }]
`
    const lonely = await startTestGateway({ yaml })
    try {
      for (const [api, how] of ways.slice(0, 2)) {
        const reply = await ask(lonely, api, { model: 'brief', stream: how === 'streamed' })
        expect(reply.status).toBe(502)
        expect(reply.json.error).toMatchObject({ ...errorShape, code: 'upstream_unreachable', param: null })
        expect(reply.headers.get('x-stickler-status')).toBe('failed')
      }
      expect((await lonely.get('/healthz')).status).toBe(200)
    } finally {
      await lonely.close()
    }
  })

  test('U01 attempts are 1 + retries: a connection that is never answered is tried so often', async () => {
    let connections = 0
    const dead = createServer((socket) => {
      connections++
      socket.on('error', () => {})
      socket.destroy()
    })
    await new Promise<void>((resolve) => dead.listen(0, '127.0.0.1', resolve))
    const { port } = dead.address() as { port: number }
    const yaml = `
upstreams: [{ name: up, kind: openai, baseUrl: "http://127.0.0.1:${port}/v1", retries: 2 }]
routes: [{ model: plain, upstream: up }]
`
    const lonely = await startTestGateway({ yaml })
    try {
      expect((await ask(lonely, 'chat', { model: 'plain' })).status).toBe(502)
      expect(connections).toBe(3)
    } finally {
      await lonely.close()
      dead.close()
    }
  })
})

describe('limits of time', () => {
  const limited: readonly (readonly [string, string, Behaviour])[] = [
    ['U02 a connection that is taken and never answered', 'brief-hasty', silence],
    ['U03 a body that stalls', 'brief-total', stalling()],
    ['U16 a body that drips', 'brief-total', dripping(JSON.stringify({ id: 'x', choices: [] }).repeat(20), 50)],
  ]
  describe.each(limited)('%s', (_name, model, behaviour) => {
    test.each(ways)('%s %s: 504, and the connection to the upstream is closed', async (api, how) => {
      const before = gateway.upstream.requests.length
      gateway.upstream.enqueue(behaviour)
      const reply = await ask(gateway, api, { model, stream: how === 'streamed' })
      expect(reply.status).toBe(504)
      expect(errorOf(reply)).toMatchObject(errorShape)
      expect(gateway.upstream.requests.length - before).toBe(1)
      await gateway.upstream.requests.at(-1)?.closed
    })
  })

  test('U02 the next target is asked when there is one', async () => {
    const before = gateway.upstream.requests.length
    gateway.upstream.enqueue(silence)
    const reply = await ask(gateway, 'chat', { model: 'brief-switched' })
    expect(reply.status).toBe(200)
    expect(gateway.upstream.requests.slice(before).map(({ path }) => path)).toEqual(['/v1/chat/completions', '/second/chat/completions'])
  })
})

describe('U06 a body that breaks off before the length that it says', () => {
  const whole = JSON.stringify({ id: 'x', choices: [{ index: 0, message: { role: 'assistant', content: 'Use spaces.' } }] })
  test.each(apiNames)('U06 %s: 502, never a cut body', async (api) => {
    for (const body of [whole.slice(0, 50), whole]) {
      gateway.upstream.enqueue(shortBody(body, 1000))
      const reply = await ask(gateway, api, { model: 'plain' })
      expect(reply.status).toBe(502)
      expect(errorOf(reply)).toMatchObject({
        ...errorShape,
        message: 'The connection to the upstream broke before the answer was complete.',
      })
      expect(reply.body).not.toContain('spaces')
    }
  })
})

describe('U15 redirects', () => {
  test.each([301, 302, 307, 308])('U15 %i is not followed', async (status) => {
    const other = await startProgrammableUpstream(answering('Stolen.'))
    try {
      for (const stream of [false, true]) {
        gateway.upstream.enqueue(redirecting(status, `${other.url}/v1/chat/completions`))
        const reply = await ask(gateway, 'chat', { model: 'plain', stream })
        expect(reply.status).toBe(502)
        expect(reply.body).not.toContain(other.url)
      }
      expect(other.connections).toBe(0)
    } finally {
      await other.close()
    }
  })
})

describe('U23 headers of the upstream', () => {
  const body = JSON.stringify({ id: 'x', choices: [{ index: 0, message: { role: 'assistant', content: 'Fine.' }, finish_reason: 'stop' }] })
  const head = (lines: readonly string[]) =>
    ['HTTP/1.1 200 OK', 'content-type: application/json', `content-length: ${body.length}`, ...lines, '', body].join('\r\n')

  test.each(apiNames)('U23 %s: none of them reaches the client', async (api) => {
    const odd = [
      'set-cookie: a=b',
      'connection: close, x-hop',
      'x-hop: 1',
      'x-request-id: forged',
      'x-stickler-status: valid',
      'server: other',
    ]
    gateway.upstream.enqueue(rawResponse(head(odd)))
    const reply = await ask(gateway, api, { model: 'plain' })
    expect(reply.status).toBe(200)
    expect(textOf(api, reply)).toBe('Fine.')
    for (const name of ['set-cookie', 'x-hop', 'server']) expect(reply.headers.get(name)).toBeNull()
    expect(reply.headers.get('x-request-id')).not.toBe('forged')
    expect(reply.headers.get('x-stickler-status')).toBe('unenforced')
  })

  test.each([
    ['a line end of its own', head(['x-odd: a\rset-cookie: b=c'])],
    ['a value without end', head([`x-large: ${'x'.repeat(200_000)}`])],
    ['a name with a space', head(['x odd: 1'])],
    ['NUL', head(['x-odd: a\0b'])],
    ['no HTTP at all', 'SSH-2.0-OpenSSH_9.6\r\n'],
  ])('U23 %s: an answer without it, or a 502', async (_name, bytes) => {
    gateway.upstream.enqueue(rawResponse(bytes))
    const reply = await ask(gateway, 'chat', { model: 'plain' })
    expect([200, 502]).toContain(reply.status)
    expect(reply.headers.get('set-cookie')).toBeNull()
    expect(reply.headers.get('x-odd')).toBeNull()
    expect((await ask(gateway, 'chat', { model: 'plain' })).status).toBe(200)
  })
})

describe('U24 kept connections', () => {
  test('U24 that the upstream closes at random cost none of 600 requests', async () => {
    let count = 0
    const fine = answering('Fine.')
    gateway.upstream.otherwise((exchange) => (++count % 3 === 0 ? closingAfter(fine, count % 4)(exchange) : fine(exchange)))
    const statuses = new Map<number, number>()
    await Promise.all(
      Array.from({ length: 15 }, async () => {
        for (let turn = 0; turn < 40; turn++) {
          const { status } = await ask(gateway, 'chat', { model: 'plain' })
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
        }
      }),
    )
    expect([...statuses]).toEqual([[200, 600]])
  })
})
