import { afterEach, describe, expect, test } from 'vitest'
import { allRuns, inLanes } from '../../packages/gateway/src/testing/address-client.ts'
import { answering } from '../../packages/gateway/src/testing/programmable-upstream-answers.ts'
import { failing, rawResponse } from '../../packages/gateway/src/testing/programmable-upstream-faults.ts'
import { startTestGateway, type TestGateway, type TestGatewayOptions, usualYaml } from '../../packages/gateway/src/testing/test-gateway.ts'
import { ask, textOf, ways } from '../../packages/gateway/src/testing/wire.ts'

const open = new Set<TestGateway>()

async function start(options: TestGatewayOptions): Promise<TestGateway> {
  const gateway = await startTestGateway(options)
  open.add(gateway)
  return gateway
}

afterEach(async () => {
  for (const gateway of open) await gateway.close()
  open.clear()
})

describe('S09 200 requests at once, each with a word of its own', () => {
  const canaries = (text: string) => [...new Set(text.match(/canary-\d{4}/g) ?? [])]

  test('S09 answers, records, log lines and the calls of each hold only its own', async () => {
    const gateway = await start({
      yaml: `log: { level: debug }\n${usualYaml}`,
      // The first answer to everybody is too long, the second good; both repeat the word.
      behaviour(exchange) {
        const [word = ''] = canaries(exchange.request.body)
        const isRetry = JSON.stringify(exchange.request.json?.messages).includes('too long')
        return answering(isRetry ? `Good: ${word}.` : `too long ${word} a b c d e f`, { delayMs: Number(word.slice(-1)) })(exchange)
      },
    })
    const requests = 200
    await Promise.all(
      Array.from({ length: requests }, async (_, index) => {
        const word = `canary-${1000 + index}`
        const [api, how] = ways[index % ways.length] ?? ['chat', 'whole']
        const question = {
          model: 'brief',
          stream: how === 'streamed',
          prompt: `Say ${word}`,
          headers: { 'x-request-id': `request-${word}` },
        }
        const reply = await ask(gateway, api, question)
        expect([reply.status, textOf(api, reply)]).toEqual([200, `Good: ${word}.`])
        expect(canaries(reply.body + JSON.stringify([...reply.headers]))).toEqual([word])
      }),
    )
    expect(gateway.upstream.requests).toHaveLength(2 * requests)
    for (const { body } of gateway.upstream.requests) expect(canaries(body)).toHaveLength(1)
    for (const line of gateway.logLines) expect(canaries(line).length).toBeLessThanOrEqual(1)

    await expect.poll(async () => (await allRuns(gateway.url)).length).toBe(requests)
    for (const { id, requestId } of await allRuns(gateway.url)) {
      const run = await (await gateway.get(`/api/v1/runs/${id}`)).text()
      expect(canaries(run)).toEqual(canaries(requestId))
      expect(JSON.parse(run).attempts).toHaveLength(2)
    }
  })
})

describe('S10 names of models in metrics', () => {
  const yaml = `
upstreams: [{ name: up, kind: openai, baseUrl: $UP/v1, retries: 0 }]
contracts: { brief: { checks: [{ max_words: { limit: 5 } }] } }
routes: [{ model: brief, upstream: up, contract: brief }, { model: "*", upstream: up, contract: brief }]
`
  const series = (text: string) =>
    text
      .split('\n')
      .filter((line) => line.startsWith('stickler_'))
      .map((line) => line.replace(/ \S+$/, ''))

  test('S10 a thousand make no new series, and quotes or line ends break nothing', async () => {
    const gateway = await start({ yaml })
    await ask(gateway, 'chat', { model: 'brief' })
    await ask(gateway, 'chat', { model: 'name-first' })
    await ask(gateway, 'chat', { model: 'a\nb' })
    // Reading metrics is counted, too.
    await (await gateway.get('/metrics')).text()
    const before = series(await (await gateway.get('/metrics')).text())
    const odd = ['name-"quoted"', 'name-back\\slash', 'name-ü{le="1"}', 'name-} 1', '__proto__', 'constructor']
    await inLanes(1000, 16, async (index) => {
      const model = odd[index] ?? `name-${index}`
      expect((await ask(gateway, 'chat', { model })).status).toBe(200)
    })
    const text = await (await gateway.get('/metrics')).text()
    expect(series(text)).toEqual(before)
    expect(text).not.toContain('name-')
    expect(text).toMatch(/stickler_runs_total\{[^}]*model="other"[^}]*\} 1001\n/)
    for (const line of text.split('\n')) expect(line).toMatch(/^(?:|# (?:HELP|TYPE) .+|[a-z0-9_]+(?:\{(?:[a-z_]+="[^"\\\n]*",?)+\})? \S+)$/)
  })
})

describe('S08 exceptions', () => {
  const inside = '/srv/stickler/node_modules/undici/index.js canary'
  const telling = /canary|node_modules|undici|libsql|kysely|pino|\/srv|\.ts\b|\.js\b| at /

  test.each(ways)('S08 %s %s: thrown inside a route, a sentence and the request id', async (api, how) => {
    let isBroken = false
    const gateway = await start({
      today() {
        if (isBroken) throw new Error(inside)
        return Date.now()
      },
    })
    isBroken = true
    const reply = await ask(gateway, api, { model: 'brief', stream: how === 'streamed', headers: { 'x-request-id': 'mine' } })
    isBroken = false
    expect([reply.status, reply.headers.get('x-request-id')]).toEqual([500, 'mine'])
    expect(reply.body).toContain('Internal error in the gateway; the request id is mine.')
    expect(reply.body).not.toMatch(telling)
    expect((await ask(gateway, api, { model: 'brief' })).status).toBe(200)
  })

  test.each(ways)('S08 %s %s: failures of the upstream in its own words only', async (api, how) => {
    const gateway = await start({})
    for (const behaviour of [
      rawResponse(`no HTTP ${inside}`),
      failing(500, {}, inside),
      failing(404, {}, inside),
      failing(401, {}, inside),
    ]) {
      await gateway.reload(gateway.config)
      gateway.upstream.enqueue(behaviour)
      const reply = await ask(gateway, api, { model: 'plain', stream: how === 'streamed' })
      expect(reply.status).toBeGreaterThanOrEqual(400)
      expect(reply.body).not.toMatch(/node_modules|undici|\/srv| at /)
      expect(reply.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/)
    }
  })

  test('S08 questions to the store that make no sense: one sentence', async () => {
    const gateway = await start({})
    for (const path of ['runs/%00', 'runs?cursor=canary', 'stats?since=canary', 'sessions/canary', 'nothing']) {
      const response = await gateway.get(`/api/v1/${path}`)
      expect([400, 404]).toContain(response.status)
      expect(await response.text()).not.toMatch(/libsql|kysely|node_modules| at |SQLITE/)
    }
  })
})
