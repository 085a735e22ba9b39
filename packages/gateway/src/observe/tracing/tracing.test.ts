import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { InMemorySpanExporter, NodeTracerProvider, type ReadableSpan, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'
import * as conventions from '@opentelemetry/semantic-conventions/incubating'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Behaviour } from '../../testing/programmable-upstream.ts'
import { answering, answeringBody } from '../../testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const parentId = '00f067aa0ba902b7'
const traceparent = `00-${traceId}-${parentId}-01`
const exporter = new InMemorySpanExporter()
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
const canary = 'canary of the model'
let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway({
    yaml: `
store: { keepText: false }
upstreams:
  - { name: first, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 1, timeouts: { firstByte: 2, idle: 2, total: 10 } }
  - { name: asked, kind: openai, baseUrl: $UP/v1, model: asked-model, apiKeyEnv: UP_KEY }
  - { name: claude, kind: anthropic, baseUrl: $UP, apiKeyEnv: UP_KEY }
  - { name: second, kind: openai, provider: mistral, baseUrl: $UP/second/v1, apiKeyEnv: UP_KEY, retries: 0 }
contracts:
  brief: { checks: [{ max_words: { limit: 5 } }, citations], retries: 1, repair: never, stream: hold }
routes:
  - { model: brief, upstream: first, upstreamModel: real-model, contract: brief }
  - { model: moving, upstream: first, upstreamModel: real-model, fallback: [{ upstream: second, model: other-model }] }
  - { model: claude, upstream: claude, upstreamModel: claude-real }
  - { model: plain, upstream: first, upstreamModel: real-model }
ask: { upstreams: [asked] }
`,
  })
})
afterAll(() => gateway.close())
afterEach(() => {
  exporter.reset()
  trace.disable()
  context.disable()
  propagation.disable()
})

const body = (model: string, more: object = {}) => ({ model, messages: [{ role: 'user', content: 'Hi' }], ...more })

async function spansOf(run: () => Promise<unknown>, count: number): Promise<ReadableSpan[]> {
  await run()
  await expect.poll(() => exporter.getFinishedSpans().length).toBe(count)
  return exporter.getFinishedSpans().sort((a, b) => a.startTime[0] - b.startTime[0] || a.startTime[1] - b.startTime[1])
}

const post = (fields: object, headers: Readonly<Record<string, string>> = { traceparent }, signal?: AbortSignal) =>
  gateway.post('/v1/chat/completions', fields, headers, signal).then(async (response) => [response.status, await response.text()])

const verdictsOf = (span: ReadableSpan | undefined) =>
  Object.fromEntries(
    (span?.events ?? []).map(({ attributes = {} }) => [attributes['gen_ai.evaluation.name'], attributes['gen_ai.evaluation.score.label']]),
  )

const sent = () => gateway.upstream.requests.at(-1)?.headers.traceparent
const long = answering(`${canary} six seven eight nine`)

describe('with the SDK', () => {
  it.each([false, true])('a run continues the trace of the client, and the provider that of the attempt (stream %s)', async (stream) => {
    provider.register()
    gateway.upstream.enqueue(long, answering('Good.', { usage: { prompt: 7, completion: 3 } }))
    const fields = body('brief', {
      stream,
      temperature: 0.5,
      max_tokens: 99,
      seed: 7,
      stop: ['END'],
      ...(stream && { stream_options: { include_usage: true } }),
    })
    const [run, first, second] = await spansOf(() => post(fields, { traceparent, tracestate: 'vendor=1', baggage: 'user=alice' }), 3)
    expect(run).toMatchObject({
      name: 'stickler.run',
      kind: SpanKind.INTERNAL,
      parentSpanContext: { traceId, spanId: parentId, isRemote: true },
    })
    for (const attempt of [first, second]) {
      expect(attempt).toMatchObject({
        name: 'chat real-model',
        kind: SpanKind.CLIENT,
        parentSpanContext: { spanId: run?.spanContext().spanId },
      })
      expect(attempt?.attributes).toMatchObject({
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'openai',
        'gen_ai.request.model': 'real-model',
        'gen_ai.request.temperature': 0.5,
        'gen_ai.request.max_tokens': 99,
        'gen_ai.request.seed': 7,
        'gen_ai.request.stop_sequences': ['END'],
        'gen_ai.response.finish_reasons': ['stop'],
        'gen_ai.response.model': expect.any(String),
        'server.address': '127.0.0.1',
        'server.port': Number(new URL(gateway.upstream.url).port),
      })
    }
    const [before, after] = gateway.upstream.requests.slice(-2)
    for (const [request, span] of [
      [before, first],
      [after, second],
    ] as const) {
      expect(request?.headers.traceparent).toBe(`00-${traceId}-${span?.spanContext().spanId}-01`)
      expect([request?.headers.tracestate, request?.headers.baggage]).toEqual(['vendor=1', undefined])
    }
    expect(verdictsOf(first)).toMatchObject({ max_words: 'fail', citations: 'pass' })
    expect(verdictsOf(second)).toMatchObject({ max_words: 'pass', citations: 'pass' })
  })

  it('every attribute of the conventions is spelt as they spell it, and no content is in any span', async () => {
    provider.register()
    gateway.upstream.enqueue(long, long)
    const spans = await spansOf(() => post(body('brief')), 3)
    const names = new Set<unknown>(Object.values(conventions))
    const used = spans
      .flatMap((span) => [span.attributes, ...span.events.map(({ attributes }) => attributes ?? {})])
      .flatMap((all) => Object.keys(all))
    for (const name of used)
      if (!name.startsWith('stickler.') && !['attempt', 'action', 'reason'].includes(name)) expect(names).toContain(name)
    expect(JSON.stringify(spans.map(({ attributes, events, name }) => [attributes, events, name]))).not.toContain('canary')
    expect(spans[0]?.status.code).toBe(SpanStatusCode.ERROR)
  })

  it('a fail-over is told by who answered', async () => {
    provider.register()
    const failing: Behaviour = answeringBody({ error: { message: 'down' } }, { status: 503 })
    gateway.upstream.enqueue(failing, failing, answering('Hi.'))
    const [, attempt] = await spansOf(() => post(body('moving')), 2)
    expect(attempt?.name).toBe('chat other-model')
    expect(attempt?.attributes).toMatchObject({ 'gen_ai.provider.name': 'mistral_ai', 'gen_ai.request.model': 'other-model' })
    const ids = gateway.upstream.requests.slice(-3).map(({ headers }) => headers.traceparent)
    expect(new Set(ids)).toEqual(new Set([`00-${traceId}-${attempt?.spanContext().spanId}-01`]))
  })

  it('a failure is told by its status, a client that leaves by that', async () => {
    provider.register()
    gateway.upstream.enqueue(answeringBody({ error: { message: canary } }, { status: 400 }))
    const [, attempt] = await spansOf(() => post(body('plain')), 2)
    expect(attempt).toMatchObject({ status: { code: SpanStatusCode.ERROR }, attributes: { 'error.type': '400' } })
    exporter.reset()
    for (const stream of [false, true]) {
      const controller = new AbortController()
      gateway.upstream.enqueue(async (exchange) => {
        controller.abort()
        await exchange.wait(300)
        await answering('Late.')(exchange)
      })
      const left = () => post(body('plain', { stream }), { traceparent }, controller.signal).catch(() => {})
      const [run, gone] = await spansOf(left, 2)
      expect([run?.attributes['stickler.status'], gone?.attributes['error.type']]).toEqual(['failed', 'aborted'])
      exporter.reset()
    }
  })

  it('several choices are several runs', async () => {
    provider.register()
    const choice = (index: number, content: string) => ({ index, message: { role: 'assistant', content }, finish_reason: 'stop' })
    gateway.upstream.enqueue(
      answeringBody({ id: 'x', object: 'chat.completion', created: 1, model: 'm', choices: [choice(0, 'a'), choice(1, 'b')] }),
    )
    const spans = await spansOf(() => post(body('brief', { n: 2 })), 4)
    expect(spans.map(({ name }) => name).sort()).toEqual(['chat real-model', 'chat real-model', 'stickler.run', 'stickler.run'])
    expect(spans.every(({ attributes }) => attributes['gen_ai.request.choice.count'] === 2 || attributes['stickler.api'] === 'chat')).toBe(
      true,
    )
  })

  it('a question is a run too, and its calls continue the trace', async () => {
    provider.register()
    gateway.upstream.enqueue(answering('It is so[^9].'), answering('It is so[^1].'))
    const question = { question: 'What?', sources: [{ urn: 'a', payload: 'It is so.' }] }
    const [run, first, second] = await spansOf(() => gateway.post('/ask', question, { traceparent }).then((response) => response.text()), 3)
    expect(run).toMatchObject({ name: 'stickler.run', attributes: { 'stickler.api': 'ask' }, parentSpanContext: { spanId: parentId } })
    expect([first?.name, second?.name]).toEqual(['chat asked-model', 'chat asked-model'])
    expect(verdictsOf(first)).toMatchObject({ citations: 'fail' })
    expect(sent()).toBe(`00-${traceId}-${second?.spanContext().spanId}-01`)
  })

  it.each([
    ['/v1/messages', 'claude', { max_tokens: 50, top_k: 3, stop_sequences: ['X'] }, 'anthropic', 'claude-real'],
    ['/v1/messages', 'plain', { max_tokens: 50, top_k: 3, stop_sequences: ['X'] }, 'openai', 'real-model'],
    ['/v1/chat/completions', 'claude', { max_completion_tokens: 50, top_k: 3, stop: 'X' }, 'anthropic', 'claude-real'],
  ])('on %s the model %s is told as the conventions say, whole and streamed', async (path, model, fields, name, asked) => {
    provider.register()
    for (const stream of [false, true]) {
      gateway.upstream.enqueue(answering('Hi.', { usage: { prompt: 1, completion: 1 } }))
      const ask = () => gateway.post(path, body(model, { ...fields, stream }), { traceparent }).then((response) => response.text())
      const [run, attempt] = await spansOf(ask, 2)
      expect(run?.attributes['stickler.model']).toBe(model)
      expect(attempt?.name).toBe(`chat ${asked}`)
      expect(attempt?.attributes).toMatchObject({
        'gen_ai.provider.name': name,
        'gen_ai.request.model': asked,
        'gen_ai.request.max_tokens': 50,
        'gen_ai.request.top_k': 3,
        'gen_ai.request.stop_sequences': ['X'],
        'gen_ai.usage.input_tokens': 1,
        'gen_ai.usage.output_tokens': 1,
        'gen_ai.response.finish_reasons': [expect.any(String)],
      })
      expect(sent()).toBe(`00-${traceId}-${attempt?.spanContext().spanId}-01`)
      exporter.reset()
    }
  })

  it('what is passed on is a span of its own', async () => {
    provider.register()
    gateway.upstream.enqueue(answeringBody({ object: 'list', data: [] }), answeringBody({ error: { message: canary } }, { status: 400 }))
    const embed = () => gateway.post('/v1/embeddings', { model: 'plain', input: canary, dimensions: 8 }, { traceparent })
    const [good] = await spansOf(embed, 1)
    expect(good).toMatchObject({ name: 'embeddings real-model', kind: SpanKind.CLIENT, parentSpanContext: { traceId, spanId: parentId } })
    expect(good?.attributes).toMatchObject({ 'gen_ai.operation.name': 'embeddings', 'gen_ai.embeddings.dimension.count': 8 })
    expect(sent()).toBe(`00-${traceId}-${good?.spanContext().spanId}-01`)
    exporter.reset()
    const [bad] = await spansOf(embed, 1)
    expect(bad).toMatchObject({ status: { code: SpanStatusCode.ERROR }, attributes: { 'error.type': '400' } })
  })

  it.each([
    ['nothing', {}],
    ['a malformed one', { traceparent: `00-${traceId}-${parentId}` }],
    ['zeros', { traceparent: `00-${'0'.repeat(32)}-${parentId}-01` }],
    ['two', { traceparent: `${traceparent}, ${traceparent}` }],
  ])('%s begins a trace of its own', async (_, headers) => {
    provider.register()
    const [run, attempt] = await spansOf(() => post(body('plain'), headers), 2)
    expect(run?.parentSpanContext).toBeUndefined()
    expect(run?.spanContext().traceId).not.toBe(traceId)
    expect(sent()).toBe(`00-${run?.spanContext().traceId}-${attempt?.spanContext().spanId}-01`)
  })

  it('a trace that the client does not sample is continued unsampled', async () => {
    provider.register()
    await post(body('plain'), { traceparent: `00-${traceId}-${parentId}-00` })
    expect(sent()).toMatch(new RegExp(`^00-${traceId}-(?!${parentId})[0-9a-f]{16}-00$`))
    expect(exporter.getFinishedSpans()).toEqual([])
  })

  it('a provider without a propagator continues the standard headers too', async () => {
    trace.setGlobalTracerProvider(provider)
    const [run] = await spansOf(() => post(body('plain')), 2)
    expect(run?.parentSpanContext).toMatchObject({ traceId, spanId: parentId })
  })
})

describe('without the SDK', () => {
  it('the provider gets the trace of the client as it is', async () => {
    await post(body('plain'), { traceparent, tracestate: 'vendor=1' })
    expect([sent(), gateway.upstream.requests.at(-1)?.headers.tracestate]).toEqual([traceparent, 'vendor=1'])
    await post(body('plain'), { traceparent: 'x', tracestate: 'vendor=1' })
    expect([sent(), gateway.upstream.requests.at(-1)?.headers.tracestate]).toEqual([undefined, undefined])
    await gateway.post('/v1/embeddings', { model: 'plain', input: 'x' }, { traceparent })
    expect(sent()).toBe(traceparent)
  })
})
