import { type Span, SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api'
import type { Usage } from '@stickler/core'
import { asRunnerFailure } from '@stickler/core/runners'
import type { PassedFacts, PassedTrace } from '../../records/run/run-facts.ts'
import { errorType, placeAttributes, requestAttributes } from './call-attributes.ts'
import { short } from './short.ts'
import { headersOf, parentOf } from './trace-context.ts'

/** The span of a body that is passed on to a provider. */
export class PassedSpan implements PassedTrace {
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
