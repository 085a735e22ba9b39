import { type Context, context, ProxyTracerProvider, SpanKind, type Tracer, trace } from '@opentelemetry/api'
import type { TraceListener } from '@stickler/core'
import type { RunFacts } from '../records/run/run-facts.ts'
import { addNodeSpans } from './node-spans.ts'
import { RunSpans, runAttributes } from './run-spans.ts'

const tracerName = 'stickler'

/** What spans hang on. */
export interface SpanSetting {
  /** The span that a run belongs to; the active one when absent. */
  readonly parent?: Context
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

/** Makes spans of the events of one run: one for the run and one for each call of the model; when nobody records, it does nothing after the first event. */
export function traceToSpans(
  tracer: Tracer,
  attributes: RunFacts,
  { parent = context.active(), now = Date.now }: SpanSetting = {},
): TraceListener {
  let spans: RunSpans | undefined
  return (event) => {
    if (event.type !== 'run-started') return spans?.listen(event)
    const startTime = now() - event.at
    const { nodes = [] } = attributes
    const preparedAt = nodes.reduce((at, { ms }) => at - ms, startTime)
    const run = tracer.startSpan('stickler.run', { kind: SpanKind.INTERNAL, startTime: preparedAt }, parent)
    if (!run.isRecording()) return run.end()
    run.setAttributes(runAttributes(attributes))
    addNodeSpans(tracer, nodes, preparedAt, trace.setSpan(parent, run))
    spans = new RunSpans({ tracer, run, attributes, startTime, parent, validators: event.validators })
  }
}

/** Makes what listens to each run for the provider that is registered when the run begins; nothing while there is none, which then costs next to nothing. */
export function createRunTracing(now: () => number): (attributes: RunFacts) => TraceListener | undefined {
  return (attributes) => (hasProvider() ? traceToSpans(trace.getTracer(tracerName), attributes, { now }) : undefined)
}

/** Until somebody registers a provider the API gives its own, which has nobody to ask for spans. */
function hasProvider(): boolean {
  const provider = trace.getTracerProvider()
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer(tracerName) !== undefined
}
