import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { readGatewayConfig } from '../packages/gateway/src/config/reading/read-gateway-config.ts'
import type { Behaviour } from '../packages/gateway/src/testing/programmable-upstream.ts'
import { answering } from '../packages/gateway/src/testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../packages/gateway/src/testing/test-gateway.ts'
import { ask, errorOf, send, textOf, verdictOf } from '../packages/gateway/src/testing/wire.ts'
import { cited, fillIndex, lastRun, nodesOf, question, routes, started, upstreams, wayOf } from './support/pipeline-gateway.ts'
import { requireBuilt } from './support/require-built.ts'

let gateway: TestGateway
beforeAll(async () => {
  requireBuilt(['core', 'ask', 'gateway', 'parser', 'cli'])
  gateway = await startTestGateway({ yaml: `${upstreams}retrieval: {}\n${routes}` })
  await fillIndex(join(gateway.folder, 'index.db'))
}, 60_000)
afterAll(() => gateway.close())

describe('what goes wrong', () => {
  test.each([
    ['an empty message', { messages: [{ role: 'user', content: '  \n' }] }, 'messages'],
    ['no message of a user', { messages: [{ role: 'system', content: 'You help.' }] }, 'messages'],
    [
      'a picture alone',
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://x.example/a.png' } }] }] },
      'messages',
    ],
    ['an unknown type', { stickler: { type: 'RETREIVAL' } }, 'stickler.type'],
    ['a type that is none', { stickler: { type: { toString: 1 } } }, 'stickler.type'],
    ['a list of types', { stickler: { type: ['RETRIEVAL'] } }, 'stickler.type'],
  ])('%s is refused before anybody is asked', async (_case, fields, param) => {
    const before = gateway.upstream.requests.length
    for (const stream of [false, true]) {
      const reply = await ask(gateway, 'chat', { model: 'docs', prompt: question, stream, fields })
      expect([reply.status, errorOf(reply)?.param]).toEqual([400, param])
    }
    expect(gateway.upstream.requests).toHaveLength(before)
  })

  test('a query of a megabyte is answered', async () => {
    gateway.upstream.enqueue(answering(cited))
    const reply = await ask(gateway, 'chat', { model: 'docs', prompt: `${question} ${'stream validator "AND" OR NOT * '.repeat(31_000)}` })
    expect(reply.status).toBe(200)
  })

  test.each([false, true])('without an index, streamed %s: answers without sources', async (stream) => {
    const bare = await started('{}')
    bare.upstream.enqueue(answering('There are no sources.'))
    const reply = await ask(bare, 'chat', { model: 'docs', prompt: question, stream })
    expect([reply.status, textOf('chat', reply)]).toEqual([200, 'There are no sources.'])
    expect(verdictOf(reply)).toMatchObject({ pipeline: { sources: [], context_relevant: false } })
    expect(reply.headers.has('x-stickler-degraded')).toBe(false)
    expect(await (await bare.get('/readyz')).json()).toMatchObject({ status: 'ready' })
  })

  test('a retriever that is down: answers without sources, marked and logged, never a 500', async () => {
    const down = await started('{ index: "postgres://127.0.0.1:1/none" }')
    down.upstream.enqueue(answering('There are no sources.'))
    const reply = await ask(down, 'chat', { model: 'docs', prompt: question })
    expect(reply.status).toBe(200)
    expect(reply.headers.get('x-stickler-degraded')).toBe('retriever')
    expect(verdictOf(reply)).toMatchObject({ pipeline: { sources: [], degraded: 'retriever' } })
    expect(down.logLines.join('\n')).toContain('[ptvl] retriever unavailable — answering without sources')
    expect(await (await down.get('/readyz')).json()).toMatchObject({ status: 'degraded' })
    expect(await (await down.get('/metrics')).text()).toMatch(/stickler_pipeline_degraded_total\{node="retrieve"\} [1-9]/)
  })

  test('an index of another embedder: full text answers alone, marked', async () => {
    const other = await started('{}')
    await fillIndex(join(other.folder, 'index.db'), 'another-embedder')
    other.upstream.enqueue(answering(cited))
    const reply = await ask(other, 'chat', { model: 'docs', prompt: question })
    expect([reply.status, textOf('chat', reply)]).toEqual([200, cited])
    expect(reply.headers.get('x-stickler-degraded')).toBe('retrieve')
    expect(other.logLines.join('\n')).toContain('[ptvl] retriever degraded')
    const metrics = await (await other.get('/metrics')).text()
    expect(metrics).toContain('stickler_pipeline_relevance_total{strategy="lexical",verdict="relevant"} 1')
    expect(metrics).toMatch(/stickler_pipeline_node_duration_seconds_count\{node="retrieve"\} 1/)
  })

  test('a client that leaves ends the preparation, and a deadline covers it', async () => {
    const slow = '{ classifier: { upstream: up, model: small } }'
    const hanging = await started(slow)
    hanging.upstream.enqueue(answering('RETRIEVAL', { delayMs: 8000 }))
    const controller = new AbortController()
    const pending = send(hanging, 'chat', { model: 'docs', prompt: question, signal: controller.signal }).catch(() => 'left')
    await expect.poll(() => hanging.upstream.requests.length).toBe(1)
    controller.abort()
    expect(await pending).toBe('left')
    await expect.poll(async () => (await lastRun(hanging)).model, { timeout: 5000 }).toBe('docs')
    expect(hanging.upstream.requests).toHaveLength(1)
    const yaml = `server: { port: 0, deadline: 0.3, heartbeat: 0.05 }\n${upstreams}retrieval: ${slow}\n${routes}`
    const short = await startTestGateway({ yaml, behaviour: answering('RETRIEVAL', { delayMs: 8000 }) })
    onTestFinished(() => short.close())
    expect((await ask(short, 'chat', { model: 'docs', prompt: question })).status).toBe(504)
    const streamed = await ask(short, 'chat', { model: 'docs', prompt: question, stream: true })
    expect(streamed.body).toMatch(/^:/)
    expect(errorOf(streamed)).toBeDefined()
  })

  test('a reload while a request runs: it finishes with what it began with', async () => {
    const live = await started('{}')
    await fillIndex(join(live.folder, 'index.db'))
    const other = join(live.folder, 'other.db')
    let finish = (): void => {}
    const reloaded = new Promise<void>((resolve) => {
      finish = resolve
    })
    const late: Behaviour = async (exchange) => {
      await reloaded
      await answering(cited)(exchange)
    }
    live.upstream.enqueue(late, answering('There are no sources.'))
    const running = ask(live, 'chat', { model: 'docs', prompt: question })
    await expect.poll(() => live.upstream.requests.length).toBe(1)
    const source = `server: { port: 0 }\nstore: { url: "sqlite:${join(live.folder, 'stickler.db')}" }\n${upstreams.replaceAll('$UP', live.upstream.url)}retrieval: { index: "${other}" }\n${routes}`
    const readFile = () => Promise.reject(new Error('no files'))
    await live.reload(await readGatewayConfig(source, 'test.yaml', { env: { UP_KEY: 'upstream-secret-key' }, readFile, cwd: live.folder }))
    finish()
    expect(textOf('chat', await running)).toBe(cited)
    expect(verdictOf(await ask(live, 'chat', { model: 'docs', prompt: question }))).toMatchObject({ pipeline: { sources: [] } })
  })

  test('queries are not kept without keepText; names of passages and verdicts are', async () => {
    const yaml = `store: { keepText: false }\n${upstreams}retrieval: {}\n${routes}`
    const quiet = await startTestGateway({ yaml })
    onTestFinished(() => quiet.close())
    await fillIndex(join(quiet.folder, '.stickler', 'index.db'))
    quiet.upstream.enqueue(answering(cited))
    await ask(quiet, 'chat', { model: 'docs', prompt: question })
    await expect.poll(async () => nodesOf(await lastRun(quiet))).toEqual(wayOf())
    const { pipeline } = await lastRun(quiet)
    expect(JSON.stringify(pipeline)).not.toMatch(/held back/)
    expect(pipeline?.[2]?.chunks?.[0]?.urn).toBe('guide/streams.md#L1-L9')
    expect(pipeline?.[3]?.relevance?.relevant).toBe(true)
  })
})
