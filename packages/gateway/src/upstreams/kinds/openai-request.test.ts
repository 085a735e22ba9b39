import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ProgrammableUpstream, startProgrammableUpstream } from '../../testing/programmable-upstream.ts'
import { answering, answeringBody } from '../../testing/programmable-upstream-answers.ts'
import { asking, calling, readFirst } from '../../testing/programmable-upstream-reading.ts'
import type { Upstream } from '../upstream.ts'
import { openaiUpstream } from './openai-upstream.ts'

let server: ProgrammableUpstream
let upstream: Upstream

beforeAll(async () => {
  server = await startProgrammableUpstream(answering('x'))
  upstream = openaiUpstream({ name: 'main', baseUrl: `${server.url}/v1`, apiKey: 'sk-test-canary' })
})
afterAll(async () => {
  await upstream.close()
  await server.close()
})

const lastRequest = () => server.requests.at(-1)

describe('what is sent', () => {
  it('is the request with unknown fields and our own headers only', async () => {
    const own = openaiUpstream({
      name: 'o',
      baseUrl: `${server.url}/v1/?a=1`,
      apiKey: 'k-123',
      headers: { 'X-Org': 'acme' },
      query: { 'api-version': '2' },
    })
    await readFirst(
      own.call(
        asking('hi', { my_option: { a: 1 }, stream_options: { include_usage: true } }),
        calling({ headers: { traceparent: '00-a-b-01', cookie: 'no' } }),
      ),
    )
    const { path, json, headers } = lastRequest() ?? {}
    expect(path).toBe('/v1/chat/completions?a=1&api-version=2')
    expect(json).toEqual({ model: 'test-model', messages: [{ role: 'user', content: 'hi' }], my_option: { a: 1 } })
    expect(Object.keys(headers ?? {}).sort()).toEqual([
      'accept',
      'accept-encoding',
      'authorization',
      'connection',
      'content-length',
      'content-type',
      'host',
      'traceparent',
      'user-agent',
      'x-org',
    ])
    expect(headers).toMatchObject({ authorization: 'Bearer k-123', 'accept-encoding': 'identity', 'user-agent': 'stickler' })
    await own.close()
  })

  it('asks for usage in streams, unless the provider refuses that', async () => {
    await readFirst(upstream.call(asking('hi', { stream: true, stream_options: { other: 1 } }), calling()))
    expect(lastRequest()?.json?.stream_options).toEqual({ other: 1, include_usage: true })
    const shy = openaiUpstream({ name: 's', baseUrl: server.url, streamUsage: false })
    await readFirst(shy.call(asking('hi', { stream: true, stream_options: { include_usage: true } }), calling()))
    expect(lastRequest()?.json).not.toHaveProperty('stream_options')
    expect(lastRequest()?.headers).not.toHaveProperty('authorization')
    await shy.close()
  })

  it('names the deployment in the path for Azure, and no other path', async () => {
    const azure = openaiUpstream({
      name: 'a',
      baseUrl: server.url,
      apiKey: 'k-123',
      apiKeyHeader: 'api-key',
      pathStyle: 'azure',
      query: { 'api-version': '1' },
    })
    await readFirst(azure.call(asking('hi', { model: 'gpt-4o' }), calling()))
    expect(lastRequest()).toMatchObject({
      path: '/openai/deployments/gpt-4o/chat/completions?api-version=1',
      headers: { 'api-key': 'k-123' },
    })
    for (const model of ['../../admin', '..', 'a/b', 'a?b', '']) {
      expect((await readFirst(azure.call(asking('hi', { model }), calling()))).failure).toMatchObject({
        kind: 'http',
        details: { status: 404 },
      })
    }
    await azure.close()
  })

  it('nothing before a choice is read', async () => {
    const before = server.requests.length
    upstream.call(asking('hi'), calling())
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(server.requests.length).toBe(before)
  })
})

describe('pass and probe', () => {
  it('passes bodies on and streams the answer back', async () => {
    const reply = await upstream.pass?.('/embeddings', { model: 'm', input: ['a', 'b'] }, calling())
    const pieces: Uint8Array[] = []
    for await (const piece of reply?.body ?? []) pieces.push(piece)
    expect(reply).toMatchObject({ status: 200, contentType: 'application/json' })
    expect(JSON.parse(Buffer.concat(pieces).toString())).toMatchObject({ data: [{ index: 0 }, { index: 1 }], model: 'm' })
    await expect(upstream.pass?.('/../admin', {}, calling())).rejects.toMatchObject({ kind: 'http', details: { status: 404 } })
  })

  it('throws the status of an error', async () => {
    server.enqueue(answeringBody({ error: { message: 'no sk-test-canary' } }, { status: 422 }))
    await expect(upstream.pass?.('/completions', { model: 'm' }, calling())).rejects.toMatchObject({
      kind: 'http',
      message: expect.not.stringContaining('canary'),
      details: { status: 422 },
    })
  })

  it('probes the list of models', async () => {
    server.enqueue(answering('x'), answeringBody('no', { status: 401 }))
    expect(await upstream.probe?.(new AbortController().signal)).toEqual({ ok: true })
    expect(lastRequest()).toMatchObject({ method: 'GET', path: '/v1/models' })
    expect(await upstream.probe?.(new AbortController().signal)).toMatchObject({ ok: false, kind: 'http' })
  })
})
