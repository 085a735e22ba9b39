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
  nodesOf,
  prepareQuestion,
  type QuestionParts,
  requestFault,
} from '@stickler/ask/internal'
import type { TraceEvent, Usage } from '@stickler/core'
import { askAnew, describeFailure, noUsage, promptTokens } from '@stickler/core/internal'
import type { AskedParameters, Price } from '@stickler/core/internal/apis'
import { attemptsUsage, type UpstreamRunner } from '@stickler/core/internal/relay'
import { type AskMode, lateBreach, resolveMode } from '@stickler/presets/internal'
import { isCutOff } from '../../front/replies/overload-errors.ts'
import type { AttemptRecord, RunRecord } from '../../records/run/run-record.ts'
import { askStore } from '../../records/store/ask-store.ts'
import { dearest } from '../../requests/budgets/highest-price.ts'
import { forCaller } from '../../requests/caller-ports.ts'
import { PaidCalls } from '../../requests/pipeline/helper-calls.ts'
import { type Caller, Request } from '../../requests/request.ts'
import type { RouteDependencies } from '../../requests/request-ports.ts'
import { type FailedAttempts, RunLog } from '../../requests/run-log.ts'
import { priceOf } from '../../upstreams/prices.ts'
import { failover } from '../../upstreams/resilience/failover.ts'
import { auditRefusal, auditReply, type LostTarget, userOf } from './ask-audit.ts'
import { cutOffReply, hereAt, spendingReply, storeReply } from './ask-replies.ts'
import { type AskTarget, type AskTargets, type Chain, chainOf, chosenTargets, namesOf, questionCostBound } from './ask-targets.ts'
import { CallGuard, type CallHold } from './call-guard.ts'
import { KeptAnswers, type SourcedQuestion, sourcedQuestion } from './kept-answers.ts'
import { questionRecord } from './question-record.ts'
import type { ReadRequest } from './read-request.ts'

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
  readonly #asked: ReadRequest
  readonly #guard: CallGuard
  /** Those of helpers too. */
  readonly #calls: PaidCalls
  #sourced: SourcedQuestion | undefined = undefined
  #lost: readonly LostTarget[] = []
  /** The answers that were rejected, whichever target gave them. */
  #judged: JudgedSoFar = { answers: 0 }
  /** What the last model answered. */
  #answer = ''
  #mode: AskMode
  #isShown = false
  /** Whether its audit row is written, or cannot be. */
  #isAudited = false

  constructor(caller: AskCaller, asked: ReadRequest, settings: AskTargets, dependencies: RouteDependencies, way = 'ask') {
    super(caller, way, dependencies)
    const user = userOf(caller.headers)
    const { clock, holdCall } = dependencies
    const tenant = caller.identity.key
    const begun = clock.now()
    this.#asked = { ...asked, tenant, ...(user === undefined ? {} : { user }), signal: caller.signal }
    this.settings = settings
    this.log = new RunLog(dependencies.current().keepText, this)
    this.#mode = asked.strict === false ? 'lenient' : 'strict'
    // Names of keys have no colon.
    const hold: CallHold = (call, capUsd) => holdCall(`ask:${tenant}`, call, capUsd)
    this.#guard = new CallGuard(settings.limits, hold, () => Math.floor(clock.now() - begun))
    this.#calls = new PaidCalls(this, (runner, price) => this.#guard.around(runner, price))
  }

  /** What all calls have used, reported or estimated. */
  get used(): Usage {
    return attemptsUsage(this.#calls.attempts)
  }

  /** The model that the caller names, or that of the first target. */
  get model(): string {
    return this.#asked.model ?? this.settings.targets[0]?.model ?? ''
  }

  /**
   * Answers it: yields an empty text once it is admitted and providers may be called, its sources, and text as it is released
   * when streaming; returns the reply when it is recorded. Throws an HttpError when the budget of the caller's key does not
   * cover it, or when a store fails.
   */
  async *answer(isStream: boolean): AsyncGenerator<AskStep, AskReply> {
    const { settings, caller } = this
    const end = settings.begin?.()
    try {
      const admission = this.admit(() => questionCostBound(this.#asked, isStream, settings))
      if (admission !== undefined) await admission
      const { places = [] } = settings
      const body = { temperature: this.#asked.temperature }
      this.beginRuns(() => ({ contract: 'ask', model: this.model, places, session: caller.session, body }))
      const fault = requestFault(this.#asked, settings.limits, settings.pipeline !== undefined)
      const targets = fault ?? chosenTargets(this.#asked, settings.targets)
      if ('error' in targets) return await this.#recorded(await this.#audited(targets), false)
      return yield* this.#replied(targets, isStream)
    } catch (thrown) {
      if (!this.#isAudited) await auditRefusal(caller, { ...this.#asked }, thrown, { ...settings, today: this.ports.today })
      return await askStore(Promise.reject(thrown))
    } finally {
      await this.#close()
      end?.()
    }
  }

  failed(attempt: AttemptRecord, log: RunLog): void {
    this.attemptFailed(attempt, log, 'ask', this.model)
  }

  /** Settles what was set aside for it, and lets go of its answer: what still refers to the question must not keep that. */
  async #close(): Promise<void> {
    try {
      await this.settle(this.used)
    } finally {
      this.#calls.release()
      this.end = undefined
      this.unchecked = []
      this.trace = undefined
    }
  }

  async *#replied(targets: readonly AskTarget[], isStream: boolean): AsyncGenerator<AskStep, AskReply> {
    let isLeft = true
    try {
      yield ''
      const reply = await this.#audited(yield* this.#steps(targets, isStream))
      // Text that is shown in one piece was audited before.
      if (isStream && reply.ok && !this.#isShown) yield reply.envelope.answer
      isLeft = false
      return await this.#recorded(reply, isStream)
    } catch (error) {
      isLeft = false
      throw error
    } finally {
      if (isLeft) {
        if (!this.#isAudited) await this.#audited(leftReply)
        await this.#recorded(leftReply, isStream)
      }
    }
  }

  /** Asks one chain of targets after the other; yields the sources once they are known, and text as it is released when streaming. */
  async *#steps(targets: readonly AskTarget[], isStream: boolean): AsyncGenerator<AskStep, AskReply> {
    const parts = await this.#prepared()
    const { fault } = this.#guard
    if (fault !== undefined)
      return { ...spendingReply(fault), ...('error' in parts ? parts.nodes && { nodes: parts.nodes } : nodesOf(parts)) }
    if ('error' in parts) return parts
    const sourced = await sourcedQuestion(this.#asked, parts)
    this.#sourced = sourced
    this.#guard.sourcesBytes = sourced.sourcesBytes
    // A helper that was refused is done without.
    this.#guard.breach = undefined
    yield { sources: parts.sources }
    let last: AskReply | undefined
    let left = targets
    for (let chain = chainOf(left); chain !== undefined; chain = chainOf(left)) {
      const reply = yield* this.#take(chain, sourced, isStream)
      // Shown text cannot be taken back, so no other target may start over.
      if (reply.ok || this.#isShown || reply.failure === undefined || !mayFailOver(reply.failure)) return reply
      const at = left.findIndex(({ alias }) => alias === reply.upstream)
      this.#lose(left[at] ?? chain[0], reply.failure)
      left = left.slice(Math.max(at, 0) + 1)
      last = reply
    }
    return exhaustedReply(this.#lost, last as AskRefused)
  }

  /** Answers from the cache, or by the first target of a chain that can be reached. */
  async *#take(chain: Chain, sourced: SourcedQuestion, isStream: boolean): AsyncGenerator<string, AskReply> {
    const { limits, caching, answers } = this.settings
    const { parts } = sourced
    const { elapsed } = this.#guard
    const [first] = chain
    const resolved = parts.rules.cites
      ? resolveMode(first.name, this.#asked.strict === false ? 'lenient' : 'strict', first.capabilities)
      : ({ mode: 'strict' } as const)
    this.#mode = resolved.mode
    const excess = this.#guard.excess(promptTokens(parts.prompt))
    if (excess !== undefined) return hereAt(limitReply(excess), first, parts)
    const terms = { mode: resolved.mode, ...('warning' in resolved && resolved.warning ? { warnings: [resolved.warning] } : {}) }
    const shelf = new KeptAnswers(sourced, answers, caching)
    const kept = await shelf.find(chain, limits.timeMs)
    if (kept !== undefined) {
      const { text, by } = kept
      this.#answer = text
      this.#judged = { answers: 0 }
      const given: Given = { text, issues: [], unchecked: [], delivered: true, status: 'valid' }
      return answerReply(given, parts, { ...terms, ...namesOf(by), usage: { ...noUsage, cost: 0 }, retryCount: 0, cacheHit: true })
    }
    const isLive = parts.prepared !== undefined || resolved.mode === 'lenient'
    const stream = !isStream || !chain.every(({ capabilities }) => capabilities.streaming) ? 'none' : isLive ? 'live' : 'held'
    const price = dearest(chain.map((target) => priceOf(target, target.model)))
    const runner = this.#runner(chain, price, sourced)
    const spans = this.trace?.listen(0, () => runner.attempts.at(-1)?.call)
    const { outcome, nodes, isShown } = yield* answerQuestion(parts, {
      mode: resolved.mode,
      runner: this.#guard.around(runner, price),
      stream,
      timeLeftMs: limits.timeMs - elapsed(),
      signal: this.#asked.signal,
      clock: this.ports.clock,
      judged: this.#judged,
      onEvent: (event) => {
        this.log.listen(event)
        spans?.(event)
        if (event.type === 'run-ended') this.end = event
        if (event.type === 'checked') this.unchecked = event.unchecked
        if (event.type === 'feedback-sent')
          this.#judged = { answers: this.#judged.answers + 1, prompt: askAnew(parts.prompt, event.feedback) }
      },
    })
    this.#isShown = isShown
    this.#answer = outcome.text
    const target = chain.find(({ alias }) => alias === runner.attempts.at(-1)?.call.upstream()) ?? first
    const { fault, breach } = this.#guard
    const passed = breach ?? (outcome.failure?.kind === 'deadline' ? lateBreach(limits, elapsed()) : undefined)
    const refusal = fault ? spendingReply(fault) : passed && limitReply(passed)
    if (refusal !== undefined) return hereAt(refusal, target, parts, nodes)
    const { answers: retryCount } = this.#judged
    const reply = answerReply(outcome, parts, { ...terms, ...namesOf(target), usage: this.used, retryCount, nodes })
    // A partial answer must not be cached as a complete one.
    const isWhole = outcome.issues.every(({ code }) => code !== 'TRUNCATED')
    if (reply.ok && outcome.status === 'valid' && isWhole) await shelf.put(outcome.text, target)
    return reply
  }

  /** Classifies and retrieves where there is a pipeline for the question. */
  #prepared(): Promise<QuestionParts | AskRefused> {
    const { limits, pipeline, executor } = this.settings
    const { caller } = this.caller
    return prepareQuestion(this.#asked, {
      limits,
      clock: this.ports.clock,
      elapsed: this.#guard.elapsed,
      executor: executor && (executor.for?.(caller) ?? executor),
      ...(pipeline && {
        pipeline: {
          ...forCaller({ ports: pipeline.ports ?? {}, executor: pipeline.executor }, caller),
          prepare: (request) => pipeline.prepare(request, this.#calls),
        },
      }),
    })
  }

  #runner(chain: Chain, price: Price | undefined, { temperature, seed }: SourcedQuestion): UpstreamRunner {
    const [{ model }] = chain
    const parameters = { temperature, seed, maxTokens: this.settings.limits.completionTokens }
    const askedParameters = askedOf(this.#asked)
    const upstream = failover('ask', chain, {
      clock: this.ports.clock,
      onFailed: (target, failure) => this.#lose(target, describeFailure(failure)),
    })
    return this.#calls.runner({ upstream, model, price }, (options, continuation) => {
      const told = this.callOptions(options, options.signal, 0, continuation)
      return { ...told, parameters, askedParameters, isGuarded: true }
    })
  }

  /** Notes why a target could not answer; the last reason counts. */
  #lose(target: AskTarget, failure: FailedTarget['failure']): void {
    const { name, alias } = target
    const label = alias === name ? name : `${alias} (${name})`
    const lost: LostTarget = { target, label, failure, retryCount: this.#judged.answers }
    this.#lost = [...this.#lost.filter((one) => one.target.alias !== alias), lost]
  }

  /** Without its rows there is no reply. */
  async #audited(reply: AskReply): Promise<AskReply> {
    this.#isAudited = true
    const { parts, seed, temperature } = this.#sourced ?? {}
    const known = {
      request: this.#asked,
      mode: this.#mode,
      seed,
      temperature,
      ts: this.ports.today(),
      answer: this.#answer,
      retry_count: this.#judged.answers,
      parts,
    }
    try {
      await auditReply(reply, { ...known, lost: this.#lost, attempts: this.#calls.attempts }, this.settings)
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
}

/** The parameters that a question names itself. */
function askedOf({ temperature, seed }: ReadRequest): AskedParameters {
  return new Set([...(temperature === undefined ? [] : (['temperature'] as const)), ...(seed === undefined ? [] : (['seed'] as const))])
}
