import { type Context, context, createTraceState, isSpanContextValid, propagation, type SpanContext, trace } from '@opentelemetry/api'

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
