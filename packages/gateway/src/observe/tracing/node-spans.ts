import { type Attributes, type Context, SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api'
import type { NodeTrace } from '@stickler/ask/pipeline'

const mostUrns = 16
const longestName = 128

/** Adds a span for each step of a pipeline, one after the other; names only, never a query. */
export function addNodeSpans(tracer: Tracer, nodes: readonly NodeTrace[], startedAt: number, within: Context): void {
  let at = startedAt
  for (const node of nodes) {
    const span = tracer.startSpan(
      `stickler.node ${node.node}`,
      { kind: SpanKind.INTERNAL, startTime: at, attributes: attributesOf(node) },
      within,
    )
    if (node.degraded !== undefined) span.setStatus({ code: SpanStatusCode.ERROR })
    at += node.ms
    span.end(at)
  }
}

function attributesOf({ node, type, chunks, relevance, degraded }: NodeTrace): Attributes {
  return {
    'stickler.node': node,
    ...(type === undefined ? {} : { 'stickler.query.type': type.is, 'stickler.query.type.by': type.by }),
    ...(chunks === undefined
      ? {}
      : {
          'stickler.chunks': chunks.length,
          'stickler.chunks.urns': chunks.slice(0, mostUrns).map(({ urn }) => urn.slice(0, longestName)),
          'stickler.chunks.scores': chunks.slice(0, mostUrns).map(({ score }) => score),
        }),
    ...(relevance === undefined ? {} : { 'stickler.relevant': relevance.relevant, 'stickler.relevance.strategy': relevance.strategy }),
    ...(relevance?.score === undefined ? {} : { 'stickler.relevance.score': relevance.score }),
    ...(degraded === undefined ? {} : { 'stickler.degraded': true }),
  }
}
