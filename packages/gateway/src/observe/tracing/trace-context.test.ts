import { defaultTextMapGetter, ROOT_CONTEXT, type SpanContext, trace } from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { headersOf, parentOf } from './request-spans.ts'

const official = new W3CTraceContextPropagator()
const hex = (length: number) => fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length })
const valid = fc.tuple(hex(32), hex(16), hex(2)).map(([id, span, flags]) => `00-${id}-${span}-${flags}`)
const damaged = fc
  .tuple(valid, fc.nat(60), fc.constantFrom('', '-', '0', 'g', 'A', ' ', ',', '\t', 'é'))
  .map(([text, at, put]) => text.slice(0, at) + put + text.slice(at + 1))
const zeros = fc.constantFrom(`00-${'0'.repeat(32)}-${'1'.repeat(16)}-01`, `00-${'1'.repeat(32)}-${'0'.repeat(16)}-01`, '', '00', '00---')
const states = fc.oneof(fc.constant(undefined), fc.constantFrom('a=1', 'a=1,b=2', 'a', '=', 'a=1, b = 2', 'x'.repeat(600)), fc.string())

const seen = (context: SpanContext | undefined) =>
  context && { ...context, traceFlags: context.traceFlags & 1, traceState: context.traceState?.serialize() || undefined }

it('reads the headers of W3C as the propagator of the SDK does, and writes what it reads', () => {
  const runs = 300
  fc.assert(
    fc.property(fc.oneof(valid, damaged, zeros, fc.string()), states, (traceparent, tracestate) => {
      const headers = { traceparent, ...(tracestate === undefined ? {} : { tracestate }) }
      const own = trace.getSpanContext(parentOf(headers))
      const theirs = trace.getSpanContext(official.extract(ROOT_CONTEXT, headers, defaultTextMapGetter))
      // Blanks around it, and flags that W3C reserves, are the only differences.
      if (traceparent.trim() !== traceparent) return
      expect(seen(own)).toEqual(seen(theirs))
      if (own === undefined) return
      const written = headersOf(own)
      expect(written.traceparent).toBe(`${traceparent.slice(0, 53)}${own.traceFlags === 1 ? '01' : '00'}`)
      expect(seen(trace.getSpanContext(parentOf(written)))).toMatchObject({ traceId: own.traceId, spanId: own.spanId })
    }),
    { numRuns: runs },
  )
})
