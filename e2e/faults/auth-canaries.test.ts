import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Behaviour } from '../../packages/gateway/src/testing/programmable-upstream.ts'
import { answering, answeringBody } from '../../packages/gateway/src/testing/programmable-upstream-answers.ts'
import {
  breakingOff,
  endingEarly,
  failing,
  hangUp,
  rawResponse,
  redirecting,
  silence,
} from '../../packages/gateway/src/testing/programmable-upstream-faults.ts'
import { startTestGateway, type TestGateway } from '../../packages/gateway/src/testing/test-gateway.ts'
import { ask, readReply, ways } from '../../packages/gateway/src/testing/wire.ts'

/** Each stands for a secret; none of them may ever be seen outside. */
const secrets = {
  clientKey: 'sk-client-CANARY1f7c2a9be04d',
  operatorKey: 'sk-operator-CANARY7c20d9e4f1ab',
  wrongKey: 'sk-wrong-CANARY2d81ab77f310',
  upstreamKey: 'sk-upstream-CANARY30ce57b28',
  queryKey: 'CANARY4a6f90d1c2e3b4a5',
  headerKey: 'CANARY5f1e2d3c4b5a69788',
  foreignBearer: 'sk-other-CANARY6b7c8d9e0f1a2b',
}
const canary = /CANARY\d/

let gateway: TestGateway
const seen: string[] = []
const key = { authorization: `Bearer ${secrets.clientKey}` }
const operator = { authorization: `Bearer ${secrets.operatorKey}` }

beforeAll(async () => {
  gateway = await startTestGateway({
    env: {
      STICKLER_KEYS: `tester:${secrets.clientKey}`,
      STICKLER_OPERATOR_KEYS: `operator:${secrets.operatorKey}`,
      UP_KEY: secrets.upstreamKey,
      QUERY_KEY: secrets.queryKey,
      HEADER_KEY: secrets.headerKey,
    },
    yaml: `
log: { level: debug }
upstreams:
  - name: up
    kind: openai
    baseUrl: $UP/v1?api_key=\${QUERY_KEY}
    apiKeyEnv: UP_KEY
    headersEnv: { x-account: HEADER_KEY }
    retries: 1
    timeouts: { firstByte: 0.3, idle: 0.3, total: 5 }
  - { name: claude, kind: anthropic, baseUrl: $UP/claude, apiKeyEnv: UP_KEY, headersEnv: { x-account: HEADER_KEY }, retries: 0, timeouts: { firstByte: 0.3, idle: 0.3, total: 5 } }
contracts: { brief: { checks: [{ max_words: { limit: 5 } }], retries: 1 } }
routes:
  - { model: brief, upstream: up, contract: brief }
  - { model: claude, upstream: claude, contract: brief }
  - { model: plain, upstream: up }
ask: { upstreams: [up] }
`,
  })
})
afterAll(() => gateway.close())

async function remember(response: Response): Promise<void> {
  const { status, headers, body } = await readReply(response).catch(() => ({ status: 0, headers: new Headers(), body: '' }))
  seen.push(`${status} ${JSON.stringify([...headers])} ${body}`)
}

const leaky = `Incorrect API key provided: ${secrets.upstreamKey}. You sent Authorization: Bearer ${secrets.foreignBearer} and x-account: ${secrets.headerKey} to /v1?api_key=${secrets.queryKey}`

/** Errors that come with a 200. */
const passedAsItIs: ReadonlySet<Behaviour> = new Set([
  answeringBody(`<html>${leaky}</html>`, { contentType: 'text/html' }),
  answeringBody({ error: { message: leaky } }),
])

/** What upstreams do, well and badly; whatever they repeat of secrets stays inside. */
const behaviours = [
  answering('Use spaces.'),
  answering('one two three four five six seven'),
  ...[400, 401, 403, 404, 408, 409, 413, 418, 422, 429, 500, 502, 503].map((status) => failing(status, {}, leaky)),
  answeringBody(leaky, { status: 500, contentType: 'text/plain' }),
  ...passedAsItIs,
  answeringBody({ error: leaky, detail: leaky, message: leaky }, { status: 400 }),
  answering('Use spaces.', {
    headers: { 'x-account': secrets.headerKey, 'set-cookie': secrets.foreignBearer, 'x-request-id': secrets.upstreamKey },
  }),
  redirecting(307, `http://127.0.0.1:1/?key=${secrets.queryKey}`),
  rawResponse(`HTTP/1.1 ${leaky}\r\n\r\n`),
  rawResponse(`${leaky}\r\n\r\n`),
  hangUp,
  silence,
  breakingOff('Use spaces and more of them.', 3),
  endingEarly('Use spaces and more of them.', 3),
]

describe('S07 secrets', () => {
  test('S07 all the time in use and never seen: answers, logs, metrics, the API and the files of the store', {
    timeout: 120_000,
  }, async () => {
    for (const behaviour of behaviours) {
      gateway.upstream.otherwise(behaviour)
      await gateway.reload(gateway.config)
      const asked = ways.flatMap(([api, how]) =>
        ['brief', 'claude', 'plain'].map(async (model) => {
          const { status, headers, body } = await ask(gateway, api, { model, stream: how === 'streamed', headers: key })
          seen.push(`${status} ${JSON.stringify([...headers])} ${body}`)
        }),
      )
      const sources = [{ urn: 'urn:a', payload: 'Because.' }]
      const others = [gateway.post('/ask', { question: 'Why?', sources }, key)]
      // What is passed on unenforced is passed on as it is, so only its failures count here.
      if (!passedAsItIs.has(behaviour)) others.push(gateway.post('/v1/embeddings', { model: 'plain', input: 'x' }, key))
      await Promise.all([...asked, ...others.map(async (response) => remember(await response))])
    }
    gateway.upstream.otherwise(answering('Use spaces.'))
    const question = { model: 'brief', messages: [{ role: 'user', content: 'x' }] }
    for (const headers of [
      { authorization: `Bearer ${secrets.wrongKey}` },
      { 'x-api-key': secrets.wrongKey },
      { cookie: secrets.wrongKey },
      { ...key, 'x-api-key': secrets.wrongKey },
    ])
      await remember(await gateway.post(`/v1/chat/completions?api_key=${secrets.wrongKey}`, question, headers as Record<string, string>))
    await remember(await gateway.post('/v1/chat/completions', `{"api_key":"${secrets.wrongKey}",`, key))
    await remember(await gateway.post('/v1/chat/completions', { ...question, api_key: secrets.wrongKey, n: 99 }, key))
    await remember(await gateway.get(`/nowhere/${secrets.wrongKey}?key=${secrets.wrongKey}`, key))
    const paths = ['runs?limit=200', 'runs.csv', 'sessions', 'stats', 'audit?limit=200', 'contracts']
    for (const path of [...paths.map((path) => `/api/v1/${path}`), '/metrics', '/readyz', '/v1/models', '/'])
      for (const who of [key, operator]) await remember(await gateway.get(path, who))
    const { items } = (await (await gateway.get('/api/v1/runs?limit=200', operator)).json()) as { items: { id: string }[] }
    for (const { id } of items) await remember(await gateway.get(`/api/v1/runs/${id}`, operator))

    // They were in use all the time.
    const sent = gateway.upstream.requests.map(({ path, headers }) => path + JSON.stringify(headers)).join('\n')
    for (const secret of [secrets.upstreamKey, secrets.queryKey, secrets.headerKey]) expect(sent).toContain(secret)
    expect(sent).not.toContain('CANARY1')
    expect(seen.length).toBeGreaterThan(500)
    expect(gateway.logLines.length).toBeGreaterThan(500)
    expect(seen.filter((one) => canary.test(one)).map(around)).toEqual([])
    expect(gateway.logLines.filter((line) => canary.test(line)).map(around)).toEqual([])
    const files = readdirSync(gateway.folder).map((name) => [name, readFileSync(join(gateway.folder, name), 'latin1')] as const)
    expect(files.map(([name]) => name)).toContain('stickler.db')
    expect(files.filter(([, bytes]) => canary.test(bytes)).map(([name, bytes]) => [name, around(bytes)])).toEqual([])
  })
})

function around(bytes: string): string {
  const at = bytes.search(canary)
  return bytes.slice(Math.max(0, at - 200), at + 60)
}
