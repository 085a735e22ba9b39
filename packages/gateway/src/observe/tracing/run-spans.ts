import { type Attributes, type Context, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'
import type { Failure, Issue, TraceEvent, Unchecked } from '@stickler/core'
import type { UpstreamCall } from '@stickler/core/internal/relay'
import type { CalledPlace, RunFacts } from '../../records/run/run-facts.ts'
import { issueWithoutWords, uncheckedWithoutWords } from '../../records/run/text-removal.ts'
import { errorType, placeAttributes, requestAttributes, responseAttributes, short } from './call-attributes.ts'

const mostCodes = 16
const longestExplanation = 500

/** A validator's verdict on one answer. */
interface ValidatorVerdict {
  readonly validator: string
  /** Its errors; absent when there are none. */
  readonly issues?: readonly Issue[] | undefined
  /** Set when it could not run. */
  readonly unchecked?: Unchecked | undefined
}

/** The attributes of a `gen_ai.evaluation.result` event; messages may quote the answer, so the explanation is the sentence of each code. */
function verdictAttributes({ validator, issues, unchecked }: ValidatorVerdict): Attributes {
  const known = { 'gen_ai.evaluation.name': short(validator) }
  if (unchecked !== undefined) {
    const { cause, reason, circuit } = unchecked
    return {
      ...known,
      'gen_ai.evaluation.score.label': 'unchecked',
      ...explanation([uncheckedWithoutWords(unchecked).message]),
      'error.type': cause,
      ...(reason === undefined ? {} : { 'stickler.unchecked.reason': reason }),
      ...(circuit === undefined ? {} : { 'stickler.unchecked.circuit': circuit }),
    }
  }
  if (issues === undefined) return { ...known, 'gen_ai.evaluation.score.label': 'pass', 'gen_ai.evaluation.score.value': 1 }
  return {
    ...known,
    'gen_ai.evaluation.score.label': 'fail',
    'gen_ai.evaluation.score.value': 0,
    ...explanation(issues.map((issue) => issueWithoutWords(issue, () => false).message)),
    'stickler.codes': [...new Set(issues.map(({ code }) => short(code)))].slice(0, mostCodes),
  }
}

function explanation(messages: readonly string[]): Attributes {
  const text = [...new Set(messages)].slice(0, mostCodes).join(' ').trim()
  if (text === '') return {}
  return { 'gen_ai.evaluation.explanation': text.length > longestExplanation ? `${text.slice(0, longestExplanation - 1)}…` : text }
}

/** The dependencies of one run's spans. */
interface RunSpansParts {
  readonly tracer: Tracer
  /** The span of the run, started. */
  readonly run: Span
  readonly facts: RunFacts
  /** When the run began, in milliseconds since 1970. */
  readonly startTime: number
  readonly parent: Context
  /** Names of the validators that check every answer. */
  readonly validators: readonly string[]
  /** The call that is being read, or was read last. */
  readonly call: () => Pick<UpstreamCall, 'head' | 'upstream'> | undefined
}

/** The attributes of a run's span. */
export function runAttributes({ api, contract, model, places, stream, requestId, session }: RunFacts, choice: number): Attributes {
  return {
    'stickler.api': api,
    'stickler.contract': short(contract),
    'stickler.model': short(model),
    'stickler.upstream': short(places[0]?.upstream ?? ''),
    ...(stream === undefined ? {} : { 'stickler.stream': stream }),
    'stickler.request_id': short(requestId),
    ...(choice === 0 ? {} : { 'stickler.choice': choice }),
    ...(session === undefined ? {} : { 'gen_ai.conversation.id': short(session) }),
  }
}

/** The spans of one recorded run. */
export class RunSpans {
  readonly #parts: RunSpansParts
  readonly #within: Context
  #attempt: { readonly span: Span; readonly model: string; endedAt?: number; stopped?: true } | undefined

  constructor(parts: RunSpansParts) {
    this.#parts = parts
    this.#within = trace.setSpan(parts.parent, parts.run)
  }

  /** Whether no contract is enforced, so that there is no verdict. */
  get #isUnenforced(): boolean {
    return this.#parts.facts.contract === ''
  }

  /** The current span: an attempt, else the run. */
  get current(): Span {
    return this.#attempt?.span ?? this.#parts.run
  }

  /** Takes an event of the run after its first; text in it is ignored. */
  listen(event: TraceEvent): void {
    const at = this.#parts.startTime + event.at
    const { run } = this.#parts
    switch (event.type) {
      case 'attempt-started':
        this.#endAttempt(at)
        this.#startAttempt(event.attempt, at)
        break
      case 'attempt-received':
        this.#answered(event)
        if (this.#attempt) this.#attempt.endedAt = at
        break
      case 'attempt-stopped':
        this.#answered({})
        this.#attempt?.span.setAttribute('stickler.stopped_at', event.offset)
        if (this.#attempt) Object.assign(this.#attempt, { endedAt: at, stopped: true })
        break
      case 'checked':
        this.#addVerdicts(event.issues, event.unchecked, at)
        this.#endAttempt(at)
        break
      case 'decided':
        run.addEvent('stickler.decision', { attempt: event.attempt, action: event.action, reason: event.reason }, at)
        break
      case 'repaired':
        run.addEvent('stickler.repair', { attempt: event.attempt, clean: event.clean, changes: event.repairs.length }, at)
        break
      case 'call-repeated':
        this.current.addEvent('stickler.repeat', { attempt: event.attempt, 'error.type': errorType(event.failure) }, at)
        break
      case 'runner-failed':
        this.#failed(event.failure, at)
        break
      case 'run-ended':
        this.#endAttempt(at)
        this.#endRun(event, at)
        break
    }
  }

  #startAttempt(attempt: number, startTime: number): void {
    const { tracer, facts } = this.#parts
    const place = facts.places[0]
    const model = place?.model ?? facts.model
    const attributes: Attributes = {
      'gen_ai.operation.name': 'chat',
      ...(place && placeAttributes(place, model)),
      ...requestAttributes(facts.body),
      ...(facts.session === undefined ? {} : { 'gen_ai.conversation.id': short(facts.session) }),
      'stickler.attempt': attempt,
    }
    const span = tracer.startSpan(`chat ${short(model)}`, { kind: SpanKind.CLIENT, startTime, attributes }, this.#within)
    this.#attempt = { span, model }
  }

  /** Returns who answered, or failed: after a fail-over not the first one. */
  #answered(received: Parameters<typeof responseAttributes>[2]): void {
    const { call, facts } = this.#parts
    const made = call()
    if (this.#attempt === undefined) return
    const { span, model } = this.#attempt
    const head = made?.head()
    const place = made && facts.places.find(({ upstream }) => upstream === made.upstream())
    if (place !== undefined && (place !== facts.places[0] || (head?.asked ?? model) !== model)) this.#moved(span, place, head?.asked)
    span.setAttributes(responseAttributes(head, facts.model, received))
  }

  #moved(span: Span, place: CalledPlace, asked: string | undefined): void {
    const model = asked ?? place.model ?? this.#parts.facts.model
    span.updateName(`chat ${short(model)}`)
    span.setAttributes({ ...placeAttributes(place, model), 'stickler.upstream': short(place.upstream) })
  }

  #failed(failure: Failure, at: number): void {
    this.#answered({})
    const type = errorType(failure)
    if (this.#attempt) {
      this.#attempt.span.setAttribute('error.type', type)
      this.#attempt.span.setStatus({ code: SpanStatusCode.ERROR })
    }
    this.#endAttempt(at)
    this.#parts.run.setAttribute('error.type', type)
  }

  /**
   * An attempt ends when its answer has arrived, though its span stays open for the verdict on it.
   */
  #endAttempt(at: number): void {
    this.#attempt?.span.end(this.#attempt.endedAt ?? at)
    this.#attempt = undefined
  }

  #addVerdicts(issues: readonly Issue[], unchecked: readonly Unchecked[], at: number): void {
    if (this.#attempt === undefined || this.#isUnenforced) return
    const { span, stopped } = this.#attempt
    const failed = new Map<string, Issue[]>()
    for (const issue of issues) {
      if (issue.severity === 'error') failed.set(issue.validator, [...(failed.get(issue.validator) ?? []), issue])
    }
    const causes = new Map(unchecked.map((one) => [one.validator, one]))
    for (const validator of new Set([...this.#parts.validators, ...failed.keys()])) {
      const found = failed.get(validator)
      // A stopped answer was not passed to the others.
      if (stopped && found === undefined) continue
      const verdict = { validator, issues: found, unchecked: causes.get(validator) }
      span.addEvent('gen_ai.evaluation.result', verdictAttributes(verdict), at)
    }
  }

  #endRun({ status, reason, attempts, usage }: TraceEvent & { readonly type: 'run-ended' }, at: number): void {
    const { run } = this.#parts
    const { promptTokens, completionTokens } = usage
    run.setAttributes({
      'stickler.status': this.#isUnenforced && status !== 'failed' ? 'unenforced' : status,
      'stickler.reason': reason,
      'stickler.attempts': attempts,
      // No provider counts 0: usage was not reported.
      ...(promptTokens + completionTokens > 0 && {
        'gen_ai.usage.input_tokens': promptTokens,
        'gen_ai.usage.output_tokens': completionTokens,
      }),
      ...(usage.cost === undefined ? {} : { 'stickler.cost': usage.cost }),
    })
    if (status === 'failed' || (status === 'unresolved' && !this.#isUnenforced)) run.setStatus({ code: SpanStatusCode.ERROR })
    run.end(at)
  }
}
