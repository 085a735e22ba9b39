import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contract } from '../../catalogue.ts'
import { check } from '../../engine/check/check.ts'
import { manualClock } from '../../testing/manual-clock.ts'
import { remoteRules } from './remote-rules.ts'
import type { RuleEvent } from './rule-event.ts'

interface Seen {
  readonly body: Record<string, unknown>
  readonly headers: IncomingMessage['headers']
  readonly method: string | undefined
}

const seen: Seen[] = []
let closed = 0
let url = ''
const json = { 'content-type': 'application/json' }
const ok = '{"issues":[]}'

/** How the service behaves, by the text that it is asked about. */
const deeds: Readonly<Record<string, (response: ServerResponse, body: Record<string, unknown>) => void>> = {
  fine: (response, { id }) => response.writeHead(200, json).end(JSON.stringify({ id, issues: [{ message: 'Say please.' }] })),
  charset: (response) => response.writeHead(200, { 'content-type': 'Application/Problem+JSON; charset=utf-8' }).end(ok),
  'no id': (response) => response.writeHead(200, json).end(ok),
  'another id': (response) => response.writeHead(200, json).end('{"id":"0","issues":[]}'),
  silent: () => {},
  headers: (response) => void response.writeHead(200, json).flushHeaders(),
  drip: (response) => {
    response.writeHead(200, json)
    const timer = setInterval(() => response.write(' '), 20)
    response.on('close', () => clearInterval(timer))
  },
  huge: (response) => response.writeHead(200, json).end(`{"issues":[${' '.repeat(10 * 1024 * 1024)}]}`),
  bomb: (response) => response.writeHead(200, json).end(`${'['.repeat(500_000)}`),
  redirect: (response) => response.writeHead(307, { location: `${url}/other` }).end(),
  short: (response) => {
    response.writeHead(200, { ...json, 'content-length': 1000 }).write('{"issues"')
    setTimeout(() => response.destroy(), 10)
  },
  reset: (response) => void response.socket?.resetAndDestroy(),
  twice: (response) => response.writeHead(200, json).end('{"issues":[{"message":"canary"}],"issues":[]}'),
  'twice inside': (response) =>
    response.writeHead(200, json).end('{"issues":[{"message":"a","severity":"error","s\\u0065verity":"warning"}]}'),
  html: (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<b>canary</b>'),
  untyped: (response) => response.writeHead(200).end(ok),
  text: (response) => response.writeHead(200, json).end('canary'),
  empty: (response) => response.writeHead(200, json).end(),
  latin: (response) => response.writeHead(200, json).end(Buffer.from([0x22, 0xe9, 0x22])),
  created: (response) => response.writeHead(201, json).end(ok),
  none: (response) => response.writeHead(204).end(),
  broken: (response) => response.writeHead(500, json).end('{"error":"canary: the text was …"}'),
  missing: (response) => response.writeHead(404, json).end(ok),
  large: (response) => response.writeHead(413, json).end(ok),
}

const server = createServer((request, response) => {
  let text = ''
  request.on('data', (chunk) => {
    text += chunk
  })
  response.on('close', () => closed++)
  request.on('end', () => {
    const body = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>
    seen.push({ body, headers: request.headers, method: request.method })
    if (request.method === 'HEAD') response.writeHead(501).end()
    else deeds[String(body.text)]?.(response, body)
  })
})
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const judge = (text: string, options = {}, settings = {}) =>
  check(contract({ checks: [{ remote: { name: 'polite', url, timeoutMs: 300, ...options } }] }), text, {
    ports: { remote: remoteRules(settings) },
  })

describe('a service that answers', () => {
  test.each([
    ['fine', 1],
    ['charset', 0],
    ['no id', 0],
  ])('%s: has a verdict', async (text, issues) => {
    expect(await judge(text)).toMatchObject({ unchecked: [], issues: { length: issues } })
  })

  test('is sent the answer, the headers of the contract, and secrets of the environment', async () => {
    const env = { RULES_KEY: 'canary-key-123', TENANT: 'acme', OTHER: 'x' }
    await judge('fine', { keyEnv: 'RULES_KEY', headers: { 'x-a': 'b' }, headersEnv: { 'x-tenant': 'TENANT' } }, { env })
    expect(seen.at(-1)).toMatchObject({
      body: { id: '1', text: 'fine', locale: 'en' },
      headers: { 'content-type': 'application/json', authorization: 'Bearer canary-key-123', 'x-a': 'b', 'x-tenant': 'acme' },
    })
  })

  test('a variable that is not set: nothing is sent', async () => {
    const before = seen.length
    expect((await judge('fine', { keyEnv: 'RULES_KEY' })).unchecked).toMatchObject([
      { cause: 'unavailable', reason: 'refused', message: 'the environment variable RULES_KEY is not set' },
    ])
    expect(seen.length).toBe(before)
  })

  test('a probe sends nothing of an answer, and any status is an answer', async () => {
    const rule = { name: 'polite', url, timeoutMs: 300 }
    await remoteRules().probe(rule, AbortSignal.timeout(5000))
    expect(seen.at(-1)).toMatchObject({ method: 'HEAD', body: {} })
    await expect(remoteRules().probe({ ...rule, url: 'http://127.0.0.1:1/' }, AbortSignal.timeout(5000))).rejects.toThrow()
  })
})

describe('a service that does not', () => {
  test.each([
    ['silent', 'timeout', 'did not answer within 300 ms'],
    ['headers', 'timeout', 'did not answer within 300 ms'],
    ['drip', 'timeout', 'did not answer within 300 ms'],
    ['huge', 'protocol', 'the response is larger than 1048576 bytes'],
    ['bomb', 'protocol', 'its reply is not JSON'],
    ['redirect', 'http', 'it redirects to another address (status 307), which is not followed'],
    ['short', 'connection', 'the connection broke'],
    ['reset', 'connection', 'it could not be reached'],
    ['html', 'protocol', 'it answered with text/html instead of application/json'],
    ['untyped', 'protocol', 'it answered with no content type instead of application/json'],
    ['text', 'protocol', 'its reply is not JSON'],
    ['empty', 'protocol', 'its reply is not JSON'],
    ['twice', 'protocol', 'its reply has a duplicate key'],
    ['twice inside', 'protocol', 'its reply has a duplicate key'],
    ['latin', 'protocol', 'its reply is not UTF-8'],
    ['created', 'http', 'it answered with status 201'],
    ['none', 'http', 'it answered with status 204'],
    ['broken', 'http', 'it answered with status 500'],
    ['missing', 'http', 'it answered with status 404'],
    ['another id', 'protocol', 'its reply has the id of another request'],
  ])('%s: is unchecked, without a word of the service', async (text, fault, why) => {
    const before = closed
    const { issues, unchecked } = await judge(text)
    expect(issues).toEqual([])
    expect(unchecked).toMatchObject([{ validator: 'polite', cause: 'unavailable', reason: 'fault', fault, circuit: 'closed' }])
    expect(unchecked[0]?.message).toContain(why)
    expect(unchecked[0]?.message).not.toContain('canary')
    // Nothing of the call is left.
    await expect.poll(() => closed).toBeGreaterThan(before)
  })

  test('refuses one answer: that is not its fault', async () => {
    expect((await judge('large')).unchecked).toMatchObject([{ reason: 'refused', message: 'the rule refused the answer with status 413' }])
  })

  test('is not there', async () => {
    const { unchecked } = await judge('fine', { url: 'http://127.0.0.1:1/' })
    expect(unchecked[0]?.message).toMatch(/^the rule polite failed: it could not be reached/)
  })

  test('an abort in the middle ends the call at once', async () => {
    const before = closed
    const controller = new AbortController()
    const running = check(contract({ checks: [{ remote: { name: 'polite', url, timeoutMs: 60_000 } }], timeoutMs: 60_000 }), 'silent', {
      ports: { remote: remoteRules() },
      signal: controller.signal,
    })
    await expect.poll(() => seen.at(-1)?.body.text).toBe('silent')
    controller.abort(new Error('the client has gone'))
    expect((await running).unchecked).toMatchObject([{ cause: 'aborted', message: 'the client has gone' }])
    await expect.poll(() => closed).toBeGreaterThan(before)
  })

  test('context that cannot be written as JSON is not sent', async () => {
    const circle: Record<string, unknown> = {}
    circle.self = circle
    const rules = contract({ checks: [{ remote: { name: 'polite', url } }] })
    expect((await check(rules, 'fine', { context: circle, ports: { remote: remoteRules() } })).unchecked).toMatchObject([
      { reason: 'refused' },
    ])
  })
})

describe('the circuit', () => {
  test('opens after five failures, refuses at once, lets one through and closes again', async () => {
    const events: RuleEvent[] = []
    const clock = manualClock()
    const remote = remoteRules({ clock, onEvent: (event) => events.push(event) })
    const rules = contract({ checks: [{ remote: { name: 'polite', url } }] })
    const ask = async (text: string) => (await check(rules, text, { ports: { remote } })).unchecked[0]
    for (let call = 0; call < 5; call++) expect(await ask('broken')).toMatchObject({ reason: 'fault', circuit: 'closed' })
    const before = seen.length
    expect(await ask('fine')).toMatchObject({ reason: 'open', circuit: 'open', message: expect.stringContaining('not called') })
    expect(seen.length).toBe(before)
    clock.advance(5000)
    const probes = await Promise.all(Array.from({ length: 50 }, () => ask('fine')))
    expect([probes.filter((one) => one === undefined).length, seen.length - before]).toEqual([1, 1])
    expect(await ask('fine')).toBeUndefined()
    expect(events).toEqual(['open', 'half-open', 'closed'].map((state) => ({ type: 'circuit', rule: 'polite', state })))
  })

  test('1000 answers at once have their verdicts', async () => {
    const remote = remoteRules()
    const rules = contract({ checks: [{ remote: { name: 'polite', url, timeoutMs: 30_000 } }], timeoutMs: 30_000 })
    const all = await Promise.all(Array.from({ length: 1000 }, (_, at) => check(rules, at % 2 ? 'fine' : 'no id', { ports: { remote } })))
    expect([all.filter(({ issues }) => issues.length === 1).length, all.filter(({ unchecked }) => unchecked.length > 0).length]).toEqual([
      500, 0,
    ])
  })
})
