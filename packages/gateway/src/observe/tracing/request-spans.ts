import { type Context, ProxyTracerProvider, type Span, SpanKind, type Tracer, trace } from '@opentelemetry/api'
import type { TraceListener } from '@stickler/core'
import type { RequestTrace, RunFacts, Tracing } from '../../records/run/run-facts.ts'
import { addNodeSpans } from './node-spans.ts'
import { PassedSpan } from './passed-span.ts'
import { RunSpans, runAttributes } from './run-spans.ts'
import { headersOf, parentOf } from './trace-context.ts'

const tracerName = 'stickler'

/** The spans of one request: one for the run of each choice, and one for each call of the model below it. */
export class RequestSpans implements RequestTrace {
  readonly #tracer: Tracer
  readonly #facts: RunFacts
  readonly #now: () => number
  readonly #parent: Context
  /** By choice, what goes on now. */
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
      this.#current[choice] = () => spans?.current ?? run
      // Whoever is called continues it nevertheless, and learns that it is not recorded.
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

/** Starts traces for the provider that is registered at the time; gives nothing while there is none, which then costs next to nothing. */
export function createTracing(now: () => number): () => Tracing | undefined {
  const tracing: Tracing = {
    run: (facts) => new RequestSpans(trace.getTracer(tracerName), facts, now),
    pass: (facts) => new PassedSpan(trace.getTracer(tracerName), facts),
  }
  return () => (hasProvider() ? tracing : undefined)
}

/** Until somebody registers a provider the API gives its own, which has nobody to ask for spans. */
function hasProvider(): boolean {
  const provider = trace.getTracerProvider()
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer(tracerName) !== undefined
}
