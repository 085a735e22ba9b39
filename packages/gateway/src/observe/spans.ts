import { type Context, context, SpanKind, type Tracer } from '@opentelemetry/api'
import type { TraceListener } from '@stickler/core'
import { type RunSpanAttributes, RunSpans, runAttributes } from './run-spans.ts'

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
  attributes: RunSpanAttributes,
  { parent = context.active(), now = Date.now }: SpanSetting = {},
): TraceListener {
  let spans: RunSpans | undefined
  return (event) => {
    if (event.type !== 'run-started') return spans?.listen(event)
    const startTime = now() - event.at
    const run = tracer.startSpan('stickler.run', { kind: SpanKind.INTERNAL, startTime }, parent)
    if (!run.isRecording()) return run.end()
    run.setAttributes(runAttributes(attributes))
    spans = new RunSpans({ tracer, run, attributes, startTime, parent, validators: event.validators })
  }
}
