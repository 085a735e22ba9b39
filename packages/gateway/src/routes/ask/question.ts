import type { AskRefused, AskReply } from '@stickler/ask'
import {
  type AskStep,
  answerQuestion,
  answerReply,
  exhaustedReply,
  type FailedTarget,
  type Given,
  type JudgedSoFar,
  leftReply,
  limitReply,
  mayFailOver,
  prepareQuestion,
  type QuestionParts,
  requestFault,
} from '@stickler/ask/internal'
import type { TraceEvent, Usage } from '@stickler/core'
import { describeFailure, noUsage, promptTokens } from '@stickler/core/internal'
import type { AskedParameters, ModelParameters, Price } from '@stickler/core/internal/apis'
import { type Attempt, attemptsUsage, UpstreamRunner } from '@stickler/core/internal/relay'
import { type AskMode, guardCost, lateBreach, resolveMode } from '@stickler/presets/internal'
import { isCutOff } from '../../front/replies/overload-errors.ts'
import { tracingHeaders } from '../../front/request-id.ts'
import type { AttemptRecord, RunRecord } from '../../records/run/run-record.ts'
import { askedTokens } from '../../requests/budgets/asked-tokens.ts'
import { dearest } from '../../requests/budgets/highest-price.ts'
import { forCaller } from '../../requests/caller-ports.ts'
import { HelperCalls } from '../../requests/pipeline/helper-calls.ts'
import { type Caller, Request } from '../../requests/request.ts'
import type { RouteDependencies } from '../../requests/request-ports.ts'
import { type FailedAttempts, RunLog } from '../../requests/run-log.ts'
import { priceOf } from '../../upstreams/prices.ts'
import { failover } from '../../upstreams/resilience/failover.ts'
import { auditReply, type LostTarget, userOf } from './ask-audit.ts'
import { cutOffReply, hereAt, nodesOf, spendingReply, storeReply } from './ask-replies.ts'
import { type AskTarget, type AskTargets, type Chain, chainOf, chosenTargets, namesOf, questionCostBound } from './ask-targets.ts'
import { KeptAnswers } from './kept-answers.ts'
import { questionRecord } from './question-record.ts'
import type { ReadRequest } from './read-request.ts'
import { type SourcedQuestion, sourcedQuestion } from './sourced-question.ts'
import { type CallGuard, GuardedRunner } from './spending/guarded-runner.ts'

/** Who asks a question, over any protocol. */
export interface AskCaller extends Caller {
  /** The session that the caller names. */
  readonly session?: string
}

/** A question about sources; every end of it is audited and recorded before the end of the reply is sent. */
export class Question extends Request<AskCaller, RouteDependencies> implements FailedAttempts {
  readonly settings: AskTargets
  readonly log: RunLog
  /** How its last run ended. */
  end: Extract<TraceEvent, { type: 'run-ended' }> | undefined = undefined
  unchecked: RunRecord['unchecked'] = []
  /** Whether its audit row is written, or cannot be. */
  isAudited = false
  readonly #asked: ReadRequest
  readonly #helpers: HelperCalls
  #runners: readonly UpstreamRunner[] = []
  #calls = 0
  #elapsed: () => number
  #sourced: SourcedQuestion | undefined = undefined
  #guards: GuardedRunner[] = []
  #lost: LostTarget[] = []
  /** What the last model answered, and after how many retries. */
  #answer = { answer: '', retryCount: 0 }
  #mode: AskMode
  #isShown = false

  constructor(caller: AskCaller, asked: ReadRequest, settings: AskTargets, dependencies: RouteDependencies, way = 'ask') {
    super(caller, way, dependencies)
    const user = userOf(caller.headers)
    this.#asked = { ...asked, tenant: caller.identity.key, ...(user === undefined ? {} : { user }), signal: caller.signal }
    this.settings = settings
    this.log = new RunLog(dependencies.current().keepText, this)
    this.#elapsed = this.#stopwatch()
    this.#mode = asked.strict === false ? 'lenient' : 'strict'
    const { requestId, headers } = caller
    this.#helpers = new HelperCalls(
      { requestId, headers: tracingHeaders(headers) },
      () => this.#count(),
      (runner, price) => this.#guarded(runner, price),
    )
  }

  /** What all calls have used, reported or estimated. */
  get used(): Usage {
    return attemptsUsage(this.#attempts)
  }

  /** The model that the caller names, or that of the first target. */
  get model(): string {
    return this.#asked.model ?? this.settings.targets[0]?.model ?? ''
  }

  get #attempts(): readonly Attempt[] {
    return [...this.#helpers.attempts, ...this.#runners.flatMap(({ attempts }) => attempts)]
  }

  /** Admits it, and begins its answer; throws an HttpError when the budget of the caller's key does not cover it. */
  async open(isStream: boolean): Promise<OpenQuestion> {
    const { settings, caller } = this
    const admission = this.admit(() => questionCostBound(this.#asked, isStream, settings))
    if (admission !== undefined) await admission
    const tracing = this.begin()
    if (tracing !== undefined) {
      const { requestId, session, headers } = caller
      const body = { temperature: this.#asked.temperature }
      const { places = [] } = settings
      this.trace = tracing.run({ api: this.way, contract: 'ask', model: this.model, places, requestId, session, body, headers })
    }
    const fault = requestFault(this.#asked, settings.limits, settings.pipeline !== undefined)
    const targets = fault ?? chosenTargets(this.#asked, settings.targets)
    return { isRefused: 'error' in targets, answer: (streaming) => this.#replied(targets, streaming) }
  }

  failed(attempt: AttemptRecord, log: RunLog): void {
    this.attemptFailed(attempt, log, 'ask', this.model)
  }

  /** Settles what was set aside for it, and lets go of its answer: what still refers to the question must not keep that. */
  async close(): Promise<void> {
    try {
      await this.settle(this.used)
    } finally {
      this.#runners = []
      this.end = undefined
      this.unchecked = []
      this.trace = undefined
    }
  }

  async *#replied(targets: readonly AskTarget[] | AskRefused, isStream: boolean): AsyncGenerator<AskStep, AskReply> {
    let isLeft = true
    try {
      const reply = await this.#audited('error' in targets ? targets : yield* this.#steps(targets, isStream))
      // Text that is shown in one piece was audited before.
      if (isStream && reply.ok && !this.#isShown) yield reply.envelope.answer
      isLeft = false
      return await this.#recorded(reply, isStream)
    } catch (error) {
      isLeft = false
      throw error
    } finally {
      if (isLeft) {
        if (!this.isAudited) await this.#audited(leftReply)
        await this.#recorded(leftReply, isStream)
      }
    }
  }

  /** Asks one chain of targets after the other; yields the sources once they are known, and text as it is released when streaming. */
  async *#steps(targets: readonly AskTarget[], isStream: boolean): AsyncGenerator<AskStep, AskReply> {
    const parts = await this.#prepared()
    const fault = this.#guards.find((guard) => guard.fault !== undefined)?.fault
    if (fault !== undefined)
      return { ...spendingReply(fault), ...('error' in parts ? parts.nodes && { nodes: parts.nodes } : nodesOf(parts)) }
    if ('error' in parts) return parts
    this.#sourced = await sourcedQuestion(this.#asked, parts)
    yield { sources: parts.sources }
    if (parts.preparation === undefined) this.#elapsed = this.#stopwatch()
    let judged: JudgedSoFar = { answers: 0 }
    let last: AskReply | undefined
    let left = targets
    for (let chain = chainOf(left); chain !== undefined; chain = chainOf(left)) {
      const { reply, judged: since } = yield* this.#take(chain, this.#sourced, judged, isStream)
      // Shown text cannot be taken back, so no other target may start over.
      if (reply.ok || this.#isShown || reply.failure === undefined || !mayFailOver(reply.failure)) return reply
      const at = left.findIndex(({ alias }) => alias === reply.upstream)
      this.#lose(left[at] ?? chain[0], reply.failure)
      left = left.slice(Math.max(at, 0) + 1)
      judged = since
      last = reply
    }
    return exhaustedReply(this.#lost, last as AskRefused)
  }

  /** Answers from the cache, or by the first target of a chain that can be reached. */
  async *#take(
    chain: Chain,
    sourced: SourcedQuestion,
    before: JudgedSoFar,
    isStream: boolean,
  ): AsyncGenerator<string, { readonly reply: AskReply; readonly judged: JudgedSoFar }> {
    const { limits, caching, answers } = this.settings
    const { parts, sourcesBytes } = sourced
    const [first] = chain
    const resolved = parts.rules.cites
      ? resolveMode(first.name, this.#asked.strict === false ? 'lenient' : 'strict', first.capabilities)
      : ({ mode: 'strict' } as const)
    this.#mode = resolved.mode
    const asked = { promptTokens: promptTokens(parts.prompt), completionTokens: 0, sourcesBytes, elapsedMs: this.#elapsed() }
    const excess = guardCost(asked, limits)
    if (excess !== undefined) return { reply: hereAt(limitReply(excess), first, parts), judged: before }
    const terms = { mode: resolved.mode, ...('warning' in resolved && resolved.warning ? { warnings: [resolved.warning] } : {}) }
    const shelf = new KeptAnswers(sourced, answers, caching)
    const kept = await shelf.find(chain, limits.timeMs)
    if (kept !== undefined) {
      const { text, by } = kept
      this.#answer = { answer: text, retryCount: 0 }
      const given: Given = { text, issues: [], unchecked: [], delivered: true, status: 'valid' }
      const free = { usage: { ...noUsage, cost: 0 }, retryCount: 0, cacheHit: true }
      return { reply: answerReply(given, parts, { ...terms, ...namesOf(by), ...free }), judged: before }
    }
    const isLive = parts.preparation !== undefined || resolved.mode === 'lenient'
    const stream = !isStream || !chain.every(({ capabilities }) => capabilities.streaming) ? 'none' : isLive ? 'live' : 'held'
    const runner = this.#runner(chain, sourced)
    const guarded = this.#guarded(runner, dearest(chain.map((target) => priceOf(target, target.model))))
    const spans = this.trace?.listen(0, () => runner.attempts.at(-1)?.call)
    const answered = yield* answerQuestion(parts, {
      mode: resolved.mode,
      runner: guarded,
      stream,
      timeLeftMs: limits.timeMs - this.#elapsed(),
      signal: this.#asked.signal,
      clock: this.ports.clock,
      judged: before,
      onEvent: (event) => {
        this.log.listen(event)
        spans?.(event)
        if (event.type === 'run-ended') this.end = event
        if (event.type === 'checked') this.unchecked = event.unchecked
        if (event.type === 'feedback-sent') this.#answer = { ...this.#answer, retryCount: this.#answer.retryCount + 1 }
      },
    })
    this.#isShown = answered.isShown
    const { outcome, nodes, judged } = answered
    const target = chain.find(({ alias }) => alias === runner.attempts.at(-1)?.call.upstream()) ?? first
    const retryCount = before.answers + Math.max(0, outcome.attempts - 1)
    this.#answer = { answer: outcome.text, retryCount }
    const { breach, fault } = guarded
    const passed = breach ?? (outcome.failure?.kind === 'deadline' ? lateBreach(limits, this.#elapsed()) : undefined)
    const refusal = fault ? spendingReply(fault) : passed && limitReply(passed)
    if (refusal !== undefined) return { reply: hereAt(refusal, target, parts, nodes), judged }
    const reply = answerReply(outcome, parts, { ...terms, ...namesOf(target), usage: this.used, retryCount, nodes })
    // A partial answer must not be cached as a complete one.
    const isWhole = outcome.issues.every(({ code }) => code !== 'TRUNCATED')
    if (reply.ok && outcome.status === 'valid' && isWhole) await shelf.put(outcome.text, target)
    return { reply, judged }
  }

  /** Classifies and retrieves where there is a pipeline for the question. */
  #prepared(): Promise<QuestionParts | AskRefused> {
    const { limits, pipeline, executor } = this.settings
    const { caller } = this.caller
    return prepareQuestion(this.#asked, {
      limits,
      clock: this.ports.clock,
      elapsed: this.#elapsed,
      executor: executor && (executor.for?.(caller) ?? executor),
      ...(pipeline && {
        pipeline: {
          ...forCaller({ ports: pipeline.ports ?? {}, executor: pipeline.executor }, caller),
          prepare: (request) => pipeline.prepare(request, this.#helpers),
        },
      }),
    })
  }

  #runner(chain: Chain, { temperature, seed }: SourcedQuestion): UpstreamRunner {
    const { requestId, caller, headers } = this.caller
    const [{ model }] = chain
    const parameters: ModelParameters = { temperature, seed, maxTokens: this.settings.limits.completionTokens }
    const askedParameters = askedOf(this.#asked)
    const upstream = failover('ask', chain, {
      clock: this.ports.clock,
      onFailed: (target, failure) => this.#lose(target, describeFailure(failure)),
    })
    const runner = new UpstreamRunner({
      price: dearest(chain.map((target) => priceOf(target, target.model))),
      promptTokens: (messages, format) => askedTokens({ chat: { model } }, messages, format),
      start: (messages, { signal, stream, timeLeftMs, format, onRepeat }, _choice, _isFirst, continuation) => {
        this.#count()
        return upstream.call(
          { model, messages, stream },
          {
            requestId,
            parameters,
            askedParameters,
            caller,
            headers: this.trace?.headers(0) ?? tracingHeaders(headers),
            signal,
            isGuarded: true,
            ...(timeLeftMs === undefined ? {} : { timeLeftMs }),
            ...(format === undefined ? {} : { format }),
            ...(continuation === undefined ? {} : { continuation }),
            ...(onRepeat === undefined ? {} : { onRepeat }),
          },
        )
      },
    })
    this.#runners = [...this.#runners, runner]
    return runner
  }

  #guarded(runner: UpstreamRunner, price: Price | undefined): GuardedRunner {
    const { limits, cap } = this.settings
    const guard: CallGuard = {
      limits,
      cap,
      sourcesBytes: this.#sourced?.sourcesBytes ?? 0,
      tenant: this.#asked.tenant ?? '',
      elapsed: () => this.#elapsed(),
      today: this.ports.today,
    }
    const guarded = new GuardedRunner(runner, guard, price)
    this.#guards.push(guarded)
    return guarded
  }

  /** Each provider's first call is one more too, unless it is the first of all. */
  #count(): void {
    if (++this.#calls > 1) this.again()
  }

  /** Notes why a target could not answer; the last reason counts. */
  #lose(target: AskTarget, failure: FailedTarget['failure']): void {
    const { name, alias } = target
    const label = alias === name ? name : `${alias} (${name})`
    const lost: LostTarget = { target, label, failure, retryCount: this.#answer.retryCount }
    this.#lost = [...this.#lost.filter((one) => one.target.alias !== alias), lost]
  }

  /** Without its rows there is no reply. */
  async #audited(reply: AskReply): Promise<AskReply> {
    this.isAudited = true
    const { parts, seed, temperature } = this.#sourced ?? {}
    const { answer, retryCount } = this.#answer
    const known = {
      request: this.#asked,
      mode: this.#mode,
      seed,
      temperature,
      ts: this.ports.today(),
      answer,
      retry_count: retryCount,
      parts,
    }
    try {
      await auditReply(reply, { ...known, lost: this.#lost, attempts: this.#attempts }, this.settings)
      return reply
    } catch (error) {
      return storeReply(error, 'the audit could not be written')
    }
  }

  async #recorded(given: AskReply, isStream: boolean): Promise<AskReply> {
    // A stream that was cut off may lack text, however its run ended.
    const isCut = isCutOff(this.caller.signal) && (isStream || !given.ok)
    const reply = isCut ? { ...cutOffReply, ...(given.nodes ? { nodes: given.nodes } : {}) } : given
    this.outcome = reply.ok ? 'ok' : reply.verdict === 'unresolved' ? 'invalid' : 'error'
    const kept = this.record(questionRecord(this, reply, isStream, this.used))
    this.tell()
    await kept
    return reply
  }

  #stopwatch(): () => number {
    const { clock } = this.ports
    const started = clock.now()
    return () => Math.floor(clock.now() - started)
  }
}

/** The parameters that a question names itself. */
function askedOf({ temperature, seed }: ReadRequest): AskedParameters {
  return new Set([...(temperature === undefined ? [] : (['temperature'] as const)), ...(seed === undefined ? [] : (['seed'] as const))])
}

/** A question that was admitted. */
export interface OpenQuestion {
  /** Whether no provider is called. */
  readonly isRefused: boolean
  /** Answers it: yields its sources, and text as it is released when streaming; returns the reply when it is recorded. */
  answer(streaming: boolean): AsyncGenerator<AskStep, AskReply>
}
