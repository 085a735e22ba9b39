import {
  type Attributes,
  type Context,
  context,
  createTraceState,
  isSpanContextValid,
  ProxyTracerProvider,
  propagation,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import type { NodeTrace } from '@stickler/ask/pipeline'
import type { TraceListener, Usage } from '@stickler/core'
import { asRunnerFailure } from '@stickler/core/internal'
import type { PassedFacts, PassedTrace, RequestTrace, RunFacts, Tracing } from '../../records/run/run-facts.ts'
import { errorType, placeAttributes, requestAttributes, short } from './call-attributes.ts'
import { RunSpans, runAttributes } from './run-spans.ts'

const tracerName = 'stickler'

/** The spans of one request: one for the run of each choice, and one for each call of the model below it. */
export class RequestSpans implements RequestTrace {
  readonly #tracer: Tracer
  readonly #facts: RunFacts
  readonly #now: () => number
  readonly #parent: Context
  /** By choice, the current run. */
  readonly #current: (() => Span)[] = []

  constructor(tracer: Tracer, facts: RunFacts, now: () => number = Date.now) {
    this.#tracer = tracer
    this.#facts = facts
    this.#now = now
    this.#parent = parentOf(facts.headers)
  }

  listen(choice: number, call: Parameters<RequestTrace['listen']>[1]): TraceListener {
    const tracer = this.#tracer
    const facts = this.#facts
    const parent = this.#parent
    let spans: RunSpans | undefined
    return (event) => {
      if (event.type !== 'run-started') return spans?.listen(event)
      const startTime = this.#now() - event.at
      const nodes = choice === 0 ? (facts.nodes ?? []) : []
      const preparedAt = nodes.reduce((at, { ms }) => at - ms, startTime)
      const run = tracer.startSpan('stickler.run', { kind: SpanKind.INTERNAL, startTime: preparedAt }, parent)
      const current = (): Span => spans?.current ?? run
      this.#current[choice] = current
      // The called service continues it nevertheless, and learns that it is not recorded.
      if (!run.isRecording()) return run.end()
      run.setAttributes(runAttributes(facts, choice))
      addNodeSpans(tracer, nodes, preparedAt, trace.setSpan(parent, run))
      spans = new RunSpans({ tracer, run, facts, startTime, parent, validators: event.validators, call })
    }
  }

  headers(choice: number): Readonly<Record<string, string>> {
    const span = this.#current[choice]?.() ?? trace.getSpan(this.#parent)
    return span === undefined ? {} : headersOf(span.spanContext())
  }
}

/**
 * Starts traces for the currently registered provider; returns undefined while there is none, at
 * almost no cost.
 */
export function createTracing(now: () => number): () => Tracing | undefined {
  const tracing: Tracing = {
    run: (facts) => new RequestSpans(trace.getTracer(tracerName), facts, now),
    pass: (facts) => new PassedSpan(trace.getTracer(tracerName), facts),
  }
  return () => (hasTracer() ? tracing : undefined)
}

/** Until a provider is registered, the API returns its own, which creates no spans. */
export function hasTracer(): boolean {
  const provider = trace.getTracerProvider()
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer(tracerName) !== undefined
}

const mostUrns = 16
const longestName = 128

/** Adds a span for each step of a pipeline, one after the other; names only, never a query. */
function addNodeSpans(tracer: Tracer, nodes: readonly NodeTrace[], startedAt: number, within: Context): void {
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

/** The span of a pass-through body. */
class PassedSpan implements PassedTrace {
  readonly #span: Span

  constructor(tracer: Tracer, { operation, model, places, body, headers, requestId }: PassedFacts) {
    const [place] = places
    const asked = place?.model ?? model
    const { dimensions, encoding_format: format } = body
    const attributes = {
      'gen_ai.operation.name': operation,
      ...(place && placeAttributes(place, asked)),
      ...requestAttributes(body),
      ...(typeof dimensions === 'number' ? { 'gen_ai.embeddings.dimension.count': dimensions } : {}),
      ...(typeof format === 'string' ? { 'gen_ai.request.encoding_formats': [short(format)] } : {}),
      'stickler.status': 'unenforced',
      'stickler.request_id': short(requestId),
    }
    this.#span = tracer.startSpan(`${operation} ${short(asked)}`, { kind: SpanKind.CLIENT, attributes }, parentOf(headers))
  }

  get headers(): Readonly<Record<string, string>> {
    return headersOf(this.#span.spanContext())
  }

  failed(thrown: unknown): void {
    this.#span.setAttribute('error.type', errorType(asRunnerFailure(thrown)))
    this.#span.setStatus({ code: SpanStatusCode.ERROR })
  }

  end(usage: Usage | undefined): void {
    if (usage !== undefined && usage.estimated !== true)
      this.#span.setAttributes({ 'gen_ai.usage.input_tokens': usage.promptTokens, 'gen_ai.usage.output_tokens': usage.completionTokens })
    this.#span.end()
  }
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * The parent of a run: the active span of an instrumented server, else the span in the client's
 * headers.
 */
export function parentOf(headers: Headers): Context {
  const active = context.active()
  if (trace.getSpanContext(active) !== undefined) return active
  const extracted = propagation.extract(active, headers)
  if (trace.getSpanContext(extracted) !== undefined) return extracted
  const remote = readTraceparent(headers.traceparent, headers.tracestate)
  // Without a propagator of the user's, the standard headers still count.
  return remote === undefined ? extracted : trace.setSpanContext(extracted, remote)
}

function readTraceparent(parent: Headers[string], state: Headers[string]): SpanContext | undefined {
  if (typeof parent !== 'string' || !/^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/.test(parent)) return undefined
  const [, traceId = '', spanId = '', flags = ''] = parent.split('-')
  const remote = {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16) & 1,
    isRemote: true,
    ...(typeof state === 'string' && { traceState: createTraceState(state) }),
  }
  return isSpanContextValid(remote) ? remote : undefined
}

/** The headers by which the called service continues a span; baggage is not for providers. */
export function headersOf({ traceId, spanId, traceFlags, traceState }: SpanContext): Readonly<Record<string, string>> {
  const traceparent = `00-${traceId}-${spanId}-${(traceFlags & 1).toString().padStart(2, '0')}`
  const tracestate = traceState?.serialize() ?? ''
  return tracestate === '' ? { traceparent } : { traceparent, tracestate }
}
