import { errorsOf, type Outcome, type TraceListener, type Usage } from '@stickler/core'
import { addUsage, askAnew, asRunnerFailure, describeFailure, noUsage, promptTokens } from '@stickler/core/internal'
import {
  type AskValidation,
  type AuditState,
  askEnvelope,
  auditRow,
  type Breach,
  freshDay,
  guardCost,
  lateVerdict,
} from '@stickler/presets/internal'
import { auditPipeline } from '../audit/audit-pipeline.ts'
import { AnswerShelf } from '../cache/answer-shelf.ts'
import { generationNodes } from '../pipeline/generation-nodes.ts'
import type { AskProvider } from '../ports.ts'
import { type Determinism, decideDeterminism } from '../question/determinism.ts'
import type { Question } from '../question/question.ts'
import type { NodeTrace } from '../reply/node-trace.ts'
import { type AskRefused, type AskReply, auditedFailure, failureReply, limitReply, unavailableReply } from '../reply/reply.ts'
import type { AskDependencies } from '../settings.ts'
import { SpendGuard } from '../spending/spend-guard.ts'
import { type Capabilities, capabilitiesOf, type ResolvedMode, resolveMode } from './capabilities.ts'
import { GuardedRunner } from './guarded-runner.ts'
import { citationsOf, validationOf } from './judged-answer.ts'
import { leftReply } from './left.ts'
import { type JudgedSoFar, putToProvider } from './put-to-provider.ts'

/** An answer, wherever it came from. */
interface Given extends Pick<Outcome, 'text' | 'issues' | 'unchecked' | 'attempts' | 'delivered'> {
  readonly usage: Usage
  readonly validationStatus?: string
}

const nothing: Given = { text: '', issues: [], unchecked: [], attempts: 1, delivered: false, usage: noUsage }

/** If the audit row cannot be written, no reply is sent. */
class AuditUnavailable extends Error {
  constructor(cause: unknown) {
    super('the audit could not be written', { cause })
  }
}

/** One provider's attempt at a question: every outcome is audited before the reply. */
export class ProviderTurn {
  readonly #question: Question
  readonly #provider: AskProvider
  readonly #with: AskDependencies
  readonly #model: string
  /** The provider's unique name. */
  readonly #upstream: string
  readonly #capabilities: Capabilities
  readonly #knobs: Determinism
  readonly #resolved: ResolvedMode
  readonly #shelf: AnswerShelf
  readonly #nodes: NodeTrace[] = []
  readonly #isFirst: boolean
  readonly #before: JudgedSoFar
  #judged: JudgedSoFar
  #isAudited = false

  constructor(question: Question, provider: AskProvider, dependencies: AskDependencies, before: JudgedSoFar, isFirst: boolean) {
    const { request } = question
    const overrides = provider.capabilities === undefined ? {} : { [provider.name]: provider.capabilities }
    this.#capabilities = capabilitiesOf(provider.name, overrides)
    this.#question = question
    this.#provider = provider
    this.#with = dependencies
    this.#model = provider.model
    this.#upstream = provider.alias ?? provider.name
    this.#knobs = decideDeterminism(request, this.#capabilities, { temperature: 0, seed: question.seed })
    const mode = request.strict === false ? 'lenient' : 'strict'
    // Lenient mode is about citations: code is always held until its verdict.
    this.#resolved = question.rules.cites ? resolveMode(provider.name, mode, this.#capabilities) : { mode: 'strict' }
    this.#isFirst = isFirst
    this.#before = before
    this.#judged = before
    this.#shelf = new AnswerShelf(question, { provider: this.#upstream, model: this.#model, ...this.#knobs }, dependencies)
  }

  /** What has been rejected so far, by this provider and those before it. */
  get judged(): JudgedSoFar {
    return this.#judged
  }

  /** Answers from the cache, or calls the provider; yields released text. */
  async *take(streaming: boolean): AsyncGenerator<string, AskReply> {
    let shown = ''
    let steps: AsyncGenerator<string, Outcome> | undefined
    try {
      let reply = await this.#withoutProvider()
      if (reply === undefined) {
        const runner = new GuardedRunner(this.#runner(), new SpendGuard(this.#question, this.#provider, this.#with))
        steps = this.#run(runner, streaming && this.#capabilities.streaming)
        let step = await steps.next()
        for (; !step.done; step = await steps.next()) {
          if (!this.#isLive) continue
          shown += step.value
          yield step.value
        }
        reply = await this.#conclude(step.value, runner)
      }
      // Text that is shown in one piece was audited before.
      if (streaming && reply.ok && shown === '') yield reply.envelope.answer
      return reply
    } catch (thrown) {
      if (thrown instanceof AuditUnavailable) return this.#here(unavailableReply(thrown.cause, thrown.message))
      const failure = describeFailure(asRunnerFailure(thrown))
      await this.#audit({
        status: 'failed',
        given: { ...nothing, text: shown },
        failure: auditedFailure(failure),
      })
      return this.#here(failureReply(failure))
    } finally {
      await steps?.return(undefined as never)
      const given = { ...nothing, text: shown }
      if (!this.#isAudited) await this.#audit({ status: 'failed', given, failure: { kind: 'aborted', detail: leftReply.error } })
    }
  }

  /** The reply that needs no provider: an exceeded limit, or a cached answer. */
  async #withoutProvider(): Promise<AskReply | undefined> {
    const { prompt, sourcesBytes, limits } = this.#question
    const usage = { promptTokens: promptTokens(prompt), completionTokens: 0, sourcesBytes, elapsedMs: this.#question.elapsed() }
    const verdict = guardCost(usage, freshDay(0), limits, 0)
    if (!verdict.allowed) return await this.#refuse(verdict, nothing)
    const kept = await this.#shelf.find()
    if (kept === undefined) return undefined
    return await this.#answer({ ...nothing, text: kept, delivered: true, usage: { ...noUsage, cost: 0 } }, true)
  }

  /** Without the pipeline nothing strict is shown before the verdict, unless requested. */
  get #isLive(): boolean {
    return this.#with.live ?? (this.#question.preparation !== undefined || this.#resolved.mode === 'lenient')
  }

  #runner(): ConstructorParameters<typeof GuardedRunner>[0] {
    const { runner } = this.#provider
    if (typeof runner !== 'function') return runner
    return runner({ ...this.#knobs, model: this.#model, maxTokens: this.#question.limits.completionTokens })
  }

  #run(runner: GuardedRunner, streaming: boolean): AsyncGenerator<string, Outcome> {
    const { clock, onEvent } = this.#with
    const stream = !streaming ? 'none' : this.#isLive ? 'live' : 'held'
    return putToProvider(this.#question, {
      mode: this.#resolved.mode,
      runner,
      stream,
      clock,
      judged: this.#before,
      onEvent: this.#listener(onEvent),
    })
  }

  #listener(onEvent: TraceListener | undefined): TraceListener {
    const { preparation, prompt } = this.#question
    const listen = preparation && generationNodes(preparation, (node) => void this.#nodes.push(node))
    return (event) => {
      if (event.type === 'feedback-sent') this.#judged = { answers: this.#judged.answers + 1, prompt: askAnew(prompt, event.feedback) }
      listen?.(event)
      onEvent?.(event)
    }
  }

  async #conclude(outcome: Outcome, { breach, fault, usage }: GuardedRunner): Promise<AskReply> {
    const given: Given = { ...outcome, usage }
    if (fault !== undefined) {
      const reply = unavailableReply(fault.error, 'the spending could not be read or saved')
      await this.#audit({ status: 'failed', given, failure: { kind: 'unavailable', detail: reply.error } })
      return this.#here(reply)
    }
    const { failure } = outcome
    const passed = breach ?? (failure?.kind === 'deadline' ? lateVerdict(this.#question.limits, this.#question.elapsed()) : undefined)
    if (passed !== undefined) return await this.#refuse(passed, given)
    // If only the second attempt failed, the pipeline answers with the first.
    const isAnswered = this.#question.preparation !== undefined && outcome.delivered && failure?.kind !== 'aborted'
    if (failure !== undefined && !isAnswered) {
      await this.#audit({ status: 'failed', given, failure: auditedFailure(failure) })
      return this.#here(failureReply(failure))
    }
    if (!outcome.delivered && outcome.status === 'unchecked') {
      const detail = 'the answer could not be checked'
      await this.#audit({ status: 'failed', given, failure: { kind: 'unchecked', detail } })
      return this.#here({ ok: false, status: 424, verdict: 'unchecked', error: detail })
    }
    const reply = await this.#answer(given, false)
    // A partial answer must not be cached as a complete one.
    const isWhole = outcome.issues.every(({ code }) => code !== 'TRUNCATED')
    if (reply.ok && outcome.status === 'valid' && isWhole) await this.#shelf.put(outcome.text)
    return reply
  }

  async #answer(given: Given, cacheHit: boolean): Promise<AskReply> {
    const { mode, warning } = this.#resolved
    const { sources, rules, preparation } = this.#question
    const validation = validationOf(given, mode, [...(warning ? [warning] : []), ...(preparation?.warnings ?? [])])
    const citations = rules.cites ? citationsOf(given.text, sources.length) : []
    const verdict = errorsOf(given).length > 0 ? 'unresolved' : given.unchecked.length > 0 ? 'unchecked' : 'valid'
    const isRefused = !validation.ok && !given.delivered
    const delivered = preparation === undefined || mode === 'lenient' ? 'lenient' : verdict
    const status = cacheHit ? 'cached' : isRefused ? 'gave_up' : verdict === 'valid' ? 'valid' : delivered
    await this.#audit({ status, given, validation, citations: citations.map(({ marker }) => marker) })
    const error = 'ASK citation validation failed after retry'
    if (isRefused) return this.#here({ ok: false, status: 422, verdict: 'unresolved', error, validation })
    const { text: answer, attempts, validationStatus = '' } = given
    const { promptTokens: asked, completionTokens, cost: costUsd } = addUsage(preparation?.usage ?? noUsage, given.usage)
    const known = { provider: this.#provider.name, model: this.#model, mode, sources, validation, citations, cacheHit }
    const envelope = askEnvelope({
      ...known,
      answer,
      promptTokens: asked,
      completionTokens,
      costUsd: Number((costUsd ?? 0).toPrecision(12)),
      retryCount: this.#before.answers + attempts - 1,
      pipeline: preparation && { ...preparation, validationStatus },
    })
    return { ok: true, status: 200, verdict, upstream: this.#upstream, envelope, ...this.#way() }
  }

  async #refuse(breach: Breach, given: Given): Promise<AskRefused> {
    await this.#audit({ status: 'refused', given, limit: breach.limit, failure: { kind: 'limit', detail: breach.detail } })
    return this.#here(limitReply(breach))
  }

  #here(reply: AskRefused): AskRefused {
    return { ...reply, provider: this.#provider.name, upstream: this.#upstream, model: this.#model, ...this.#way() }
  }

  /** The nodes that ran, when the question went through the pipeline. */
  #way(): { readonly nodes?: readonly NodeTrace[] } {
    const { preparation } = this.#question
    return preparation ? { nodes: [...preparation.nodes, ...this.#nodes] } : {}
  }

  async #audit(
    end: Pick<AuditState, 'status' | 'failure' | 'limit'> & {
      readonly given: Given
      readonly validation?: AskValidation
      readonly citations?: readonly number[]
    },
  ): Promise<void> {
    this.#isAudited = true
    const { status, failure, limit, given, validation, citations = [] } = end
    const { request, preparation, sources } = this.#question
    const { seed, temperature } = this.#knobs
    const { question, role, tenant, user } = request
    // The cost of preparation is in one row, whichever provider answers.
    const usage = addUsage(this.#isFirst && preparation ? preparation.usage : noUsage, given.usage)
    const state: AuditState = {
      answer: given.text,
      cacheHit: status === 'cached',
      citations,
      completionTokens: usage.completionTokens,
      costUsd: usage.cost ?? 0,
      errors: validation?.errors ?? [],
      failure,
      limit,
      mode: this.#resolved.mode,
      model: this.#model,
      pipeline: preparation && auditPipeline(preparation, this.#way().nodes, given.validationStatus),
      promptTokens: usage.promptTokens,
      provider: this.#provider.name,
      question,
      retryCount: this.#before.answers + Math.max(0, given.attempts - 1),
      role,
      seed,
      sourcesUrns: sources.map(({ urn }) => urn),
      status,
      temperature,
      tenant,
      ts: this.#with.today(),
      upstream: this.#upstream,
      user,
      validationOk: validation?.ok,
    }
    const row = await auditRow(state, this.#with.keep)
    await this.#with.audit.write(row).catch((cause: unknown) => {
      throw new AuditUnavailable(cause)
    })
  }
}
