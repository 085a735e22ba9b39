import { type Attributes, INVALID_SPAN_CONTEXT, type SpanOptions, type TimeInput, type Tracer, trace } from '@opentelemetry/api'
import type { NodeTrace } from '@stickler/ask/pipeline'
import { contract, enforce } from '@stickler/core'
import { scripted } from '@stickler/core/testing'
import { expect, test } from 'vitest'
import { pipelineLines } from '../../observe/logs/run-listener.ts'
import { createMetrics } from '../../observe/metrics/metrics.ts'
import { RequestSpans } from '../../observe/tracing/request-spans.ts'
import { runRecord } from '../../testing/memory-queries.ts'

const nodes: readonly NodeTrace[] = [
  { node: 'classify', ms: 1, type: { is: 'RETRIEVAL', by: 'rule' } },
  { node: 'reformulate', ms: 2, query: 'canary words' },
  { node: 'retrieve', ms: 30, chunks: [{ urn: 'a.md#L1', score: 0.03 }], degraded: 'vector: no service' },
  { node: 'check_context_relevance', ms: 1, relevance: { relevant: false, strategy: 'lexical', score: 0.2 } },
]

test('each step is a span below the run, one after the other and before the model, without words of the query', async () => {
  const spans: { name: string; attributes: Attributes; start: TimeInput | undefined; end?: TimeInput | undefined }[] = []
  const startSpan = (name: string, { attributes = {}, startTime }: SpanOptions = {}) => {
    const one: (typeof spans)[number] = { name, attributes: { ...attributes }, start: startTime }
    spans.push(one)
    const more = (further: Attributes) => Object.assign(one.attributes, further)
    const end = (time?: TimeInput) => void Object.assign(one, { end: time })
    return Object.assign(trace.wrapSpanContext(INVALID_SPAN_CONTEXT), { isRecording: () => true, setAttributes: more, end })
  }
  const around = { places: [], stream: false, requestId: 'r', body: {}, headers: {}, keepText: false }
  const about = { ...around, api: 'chat', contract: 'c', model: 'm', nodes }
  const onEvent = new RequestSpans({ startSpan } as unknown as Tracer, about, () => 1000).listen(0, () => undefined)
  await enforce({ contract: contract({ checks: [] }), runner: scripted(['Hi.']), prompt: 'x', onEvent })
  expect(spans.map(({ name }) => name)).toEqual(['stickler.run', ...nodes.map(({ node }) => `stickler.node ${node}`), 'chat m'])
  const [run, classify, , retrieve, judge] = spans
  const begun = Number(run?.start)
  expect([classify?.start, retrieve?.start, retrieve?.end]).toEqual([begun, begun + 3, begun + 33])
  expect(Number(spans.at(-1)?.start)).toBeGreaterThanOrEqual(begun + 34)
  expect(retrieve?.attributes).toMatchObject({ 'stickler.chunks': 1, 'stickler.chunks.urns': ['a.md#L1'], 'stickler.degraded': true })
  expect(judge?.attributes).toMatchObject({ 'stickler.relevant': false, 'stickler.relevance.score': 0.2 })
  expect(JSON.stringify(spans)).not.toContain('canary')
})

test('steps are counted by closed names, once for all choices of a request', async () => {
  const metrics = createMetrics({ names: { contracts: [], models: [], upstreams: [] } })
  const strange = Array.from({ length: 1000 }, (_, index) => ({ node: `n${index}`, ms: 1 }) as unknown as NodeTrace)
  metrics.run(runRecord('a', { pipeline: [...nodes, ...strange] }))
  metrics.run(runRecord('b', { pipeline: nodes, choice: 1 }))
  const text = await metrics.render()
  expect(text).toContain('stickler_pipeline_nodes_total{node="retrieve"} 1')
  expect(text).toContain('stickler_pipeline_nodes_total{node="other"} 1000')
  expect(text).toContain('stickler_pipeline_degraded_total{node="retrieve"} 1')
  expect(text).toContain('stickler_pipeline_relevance_total{strategy="lexical",verdict="insufficient"} 1')
  expect(text).toContain('stickler_pipeline_node_duration_seconds_sum{node="retrieve"} 0.03')
})

test('what did not go as it should is logged, and never a query', () => {
  const down: NodeTrace = { node: 'retrieve', ms: 1, chunks: [], degraded: 'down' }
  const lines = pipelineLines(runRecord('a', { pipeline: [...nodes, down] }))
  expect(lines.map(({ message }) => message)).toEqual([
    '[ptvl] retriever degraded — answering from one half of the search',
    '[ptvl] context insufficient — reformulating once',
    '[ptvl] retriever unavailable — answering without sources',
  ])
  expect(JSON.stringify(lines)).not.toContain('canary')
  expect(pipelineLines(runRecord('b', {}))).toEqual([])
})
