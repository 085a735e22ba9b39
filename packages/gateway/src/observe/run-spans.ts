import { type Attributes, type Context, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'
import type { Issue, TraceEvent, Unchecked } from '@stickler/core'
import { keptReason } from '../records/run/kept-names.ts'
import type { RunFacts } from '../records/run/run-facts.ts'

/** Longer names are cut; clients choose some of them. */
const longestName = 128
const mostCodes = 16

/** What the spans of one run are made with. */
export interface RunSpansParts {
  readonly tracer: Tracer
  /** The span of the run, started. */
  readonly run: Span
  readonly attributes: RunFacts
  /** When the run began, in milliseconds since 1970. */
  readonly startTime: number
  readonly parent: Context
  /** Names of the validators that every answer is given to. */
  readonly validators: readonly string[]
}

/** The attributes of a run's span. */
export function runAttributes({ api, contract, model, upstream, stream, requestId }: RunFacts): Attributes {
  return {
    'stickler.api': api,
    'stickler.contract': short(contract),
    'stickler.model': short(model),
    'stickler.upstream': short(upstream),
    'stickler.stream': stream,
    'stickler.request_id': short(requestId),
  }
}

/** The spans of one run that somebody records. */
export class RunSpans {
  readonly #parts: RunSpansParts
  readonly #within: Context
  #call: { readonly span: Span; endedAt?: number; stopped?: true } | undefined

  constructor(parts: RunSpansParts) {
    this.#parts = parts
    this.#within = trace.setSpan(parts.parent, parts.run)
  }

  /** Takes an event of the run behind its first; text that it holds is left alone. */
  listen(event: TraceEvent): void {
    const at = this.#parts.startTime + event.at
    switch (event.type) {
      case 'attempt-started':
        this.#endCall(at)
        this.#startCall(event.attempt, at)
        break
      case 'attempt-received':
        this.#call?.span.setAttributes(receivedAttributes(event))
        if (this.#call) this.#call.endedAt = at
        break
      case 'attempt-stopped':
        this.#call?.span.setAttribute('stickler.stopped_at', event.offset)
        if (this.#call) Object.assign(this.#call, { endedAt: at, stopped: true })
        break
      case 'checked':
        this.#addVerdicts(event.issues, event.unchecked, at)
        this.#endCall(at)
        break
      case 'decided':
        this.#parts.run.addEvent('stickler.decision', { attempt: event.attempt, action: event.action, reason: event.reason }, at)
        break
      case 'repaired':
        this.#parts.run.addEvent('stickler.repair', { attempt: event.attempt, clean: event.clean, changes: event.repairs.length }, at)
        break
      case 'runner-failed':
        if (this.#call) fail(this.#call.span, event.failure.kind)
        this.#endCall(at)
        this.#parts.run.setAttribute('error.type', event.failure.kind)
        break
      case 'run-ended':
        this.#endCall(at)
        this.#endRun(event, at)
        break
    }
  }

  #startCall(attempt: number, startTime: number): void {
    const { tracer, attributes } = this.#parts
    const model = short(attributes.upstreamModel)
    const known: Attributes = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': short(attributes.upstream),
      'gen_ai.request.model': model,
      'stickler.attempt': attempt,
    }
    const span = tracer.startSpan(`chat ${model}`, { kind: SpanKind.CLIENT, startTime, attributes: known }, this.#within)
    this.#call = { span }
  }

  /** A call ends when its answer has come, though its span stays open for the verdict on it. */
  #endCall(at: number): void {
    this.#call?.span.end(this.#call.endedAt ?? at)
    this.#call = undefined
  }

  #addVerdicts(issues: readonly Issue[], unchecked: readonly Unchecked[], at: number): void {
    const failed = new Map<string, Issue[]>()
    for (const issue of issues) {
      if (issue.severity === 'error') failed.set(issue.validator, [...(failed.get(issue.validator) ?? []), issue])
    }
    const causes = new Map(unchecked.map((one) => [one.validator, one]))
    for (const name of new Set([...this.#parts.validators, ...failed.keys()])) {
      const found = failed.get(name)
      const cause = causes.get(name)
      // A stopped answer has not been given to the others.
      if (this.#call?.stopped && found === undefined) continue
      this.#call?.span.addEvent('gen_ai.evaluation.result', verdictAttributes(name, found, cause), at)
    }
  }

  #endRun({ status, reason, attempts, usage }: TraceEvent & { readonly type: 'run-ended' }, at: number): void {
    const { run } = this.#parts
    run.setAttributes({
      'stickler.status': status,
      'stickler.reason': reason,
      'stickler.attempts': attempts,
      'gen_ai.usage.input_tokens': usage.promptTokens,
      'gen_ai.usage.output_tokens': usage.completionTokens,
      ...(usage.cost === undefined ? {} : { 'stickler.cost': usage.cost }),
    })
    if (status === 'failed' || status === 'unresolved') run.setStatus({ code: SpanStatusCode.ERROR })
    run.end(at)
  }
}

function receivedAttributes({ usage, finishReason }: TraceEvent & { readonly type: 'attempt-received' }): Attributes {
  return {
    ...(usage ? { 'gen_ai.usage.input_tokens': usage.promptTokens, 'gen_ai.usage.output_tokens': usage.completionTokens } : {}),
    ...(finishReason === undefined ? {} : { 'gen_ai.response.finish_reasons': [keptReason(finishReason)] }),
  }
}

function verdictAttributes(name: string, issues: readonly Issue[] | undefined, unchecked: Unchecked | undefined): Attributes {
  const known = { 'gen_ai.evaluation.name': short(name) }
  if (unchecked !== undefined) {
    const { cause, reason, circuit } = unchecked
    const why = {
      ...(reason === undefined ? {} : { 'stickler.unchecked.reason': reason }),
      ...(circuit === undefined ? {} : { 'stickler.unchecked.circuit': circuit }),
    }
    return { ...known, 'gen_ai.evaluation.score.label': 'unchecked', 'error.type': cause, ...why }
  }
  if (issues === undefined) return { ...known, 'gen_ai.evaluation.score.label': 'pass', 'gen_ai.evaluation.score.value': 1 }
  const codes = [...new Set(issues.map(({ code }) => short(code)))].slice(0, mostCodes)
  return { ...known, 'gen_ai.evaluation.score.label': 'fail', 'gen_ai.evaluation.score.value': 0, 'stickler.codes': codes }
}

function fail(span: Span, kind: string): void {
  span.setAttribute('error.type', kind)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

function short(name: string): string {
  return name.length > longestName ? name.slice(0, longestName) : name
}
