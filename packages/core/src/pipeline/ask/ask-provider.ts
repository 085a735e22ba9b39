import type { Outcome } from '../../engine/outcome.ts'
import { type AskStatus, type AuditState, auditRow } from './audit-row.ts'
import { answerCacheKey } from './cache-key.ts'
import { type CacheDecision, decideCache } from './cache-policy.ts'
import { capabilitiesOf, type ResolvedMode, resolveMode } from './capabilities.ts'
import { freshDay, guardCost } from './cost-guard.ts'
import { type Determinism, decideDeterminism } from './determinism.ts'
import { type AskValidation, askEnvelope } from './envelope.ts'
import { type Breach, type Guard, GuardedRunner, promptTokens } from './guarded-runner.ts'
import { citationsOf, validationOf } from './judged-answer.ts'
import type { AskProvider } from './ports.ts'
import { isStillValid, putToProvider } from './put-to-provider.ts'
import type { Question } from './question.ts'
import { type AskRefused, type AskReply, failureReply } from './reply.ts'
import type { AskDependencies } from './settings.ts'

/** A safe margin: the estimate may be well above the provider's own figure, which counts in the end. */
const estimateMargin = 2

/** One provider's turn at a question: every way out of it is audited before the reply. */
export class ProviderTurn {
  readonly #question: Question
  readonly #provider: AskProvider
  readonly #with: AskDependencies
  readonly #model: string
  readonly #knobs: Determinism
  readonly #resolved: ResolvedMode
  readonly #caching: CacheDecision

  constructor(question: Question, provider: AskProvider, dependencies: AskDependencies) {
    const { request } = question
    const overrides = provider.capabilities === undefined ? {} : { [provider.name]: provider.capabilities }
    const capabilities = capabilitiesOf(provider.name, overrides)
    this.#question = question
    this.#provider = provider
    this.#with = dependencies
    this.#model = request.model ?? provider.model
    this.#knobs = decideDeterminism(request, capabilities, { temperature: 0, seed: question.seed })
    this.#resolved = resolveMode(provider.name, request.strict === false ? 'lenient' : 'strict', capabilities)
    this.#caching = decideCache(request.cache ?? 'default', dependencies.caching)
  }

  /** Answers from the cache, or asks the provider; yields the text that may be shown. */
  async *take(streaming: boolean): AsyncGenerator<string, AskReply> {
    const { prompt, sourcesBytes, limits } = this.#question
    const usage = { promptTokens: promptTokens(prompt), completionTokens: 0, sourcesBytes, elapsedMs: this.#question.elapsed() }
    const verdict = guardCost(usage, freshDay(0), limits, 0)
    if (!verdict.allowed) return await this.#refuse(verdict, undefined)
    const key = this.#caching.use ? await this.#key() : undefined
    const kept = key === undefined ? undefined : await this.#fromCache(key)
    if (kept !== undefined) {
      if (streaming) yield kept
      return await this.#answer({ text: kept, issues: [], attempts: 1, usage: { promptTokens: 0, completionTokens: 0, cost: 0 } }, true)
    }
    const { runner: given } = this.#provider
    const made = typeof given === 'function' ? given({ ...this.#knobs, model: this.#model, maxTokens: limits.completionTokens }) : given
    const runner = new GuardedRunner(made, this.#guard())
    const stream = !streaming ? 'none' : this.#with.live ? 'live' : 'held'
    const { clock, onEvent } = this.#with
    let outcome: Outcome | undefined
    try {
      outcome = yield* putToProvider(this.#question, { mode: this.#resolved.mode, runner, stream, clock, onEvent })
    } finally {
      if (outcome === undefined)
        await this.#audit({ status: 'failed', outcome, failure: { kind: 'aborted', detail: 'the stream was left before its end' } })
    }
    return await this.#conclude(outcome, runner.breach, key)
  }

  async #conclude(outcome: Outcome, breach: Breach | undefined, key: string | undefined): Promise<AskReply> {
    if (breach !== undefined) return await this.#refuse(breach, outcome)
    if (outcome.failure?.kind === 'deadline') {
      const { limits } = this.#question
      const elapsedMs = Math.max(limits.timeMs + 1, Math.ceil(this.#question.elapsed()))
      const late = guardCost({ promptTokens: 0, completionTokens: 0, sourcesBytes: 0, elapsedMs }, freshDay(0), limits, 0)
      if (!late.allowed) return await this.#refuse(late, outcome)
    }
    if (outcome.failure !== undefined) {
      const { kind, message: detail } = outcome.failure
      await this.#audit({ status: 'failed', outcome, failure: { kind, detail } })
      return failureReply(outcome.failure)
    }
    const reply = await this.#answer(outcome, false)
    if (reply.ok && reply.envelope.validation.warnings.every(({ span }) => span === undefined) && outcome.status === 'valid') {
      if (key !== undefined && this.#caching.use)
        await this.#with.cache.set(key, { text: outcome.text, sources: this.#question.sourceNames }, this.#caching.ttlSeconds)
    }
    return reply
  }

  async #answer(outcome: Pick<Outcome, 'text' | 'issues' | 'attempts' | 'usage'>, cacheHit: boolean): Promise<AskReply> {
    const { mode, warning } = this.#resolved
    const { sources } = this.#question.request
    const validation = validationOf(outcome, mode, cacheHit ? undefined : warning)
    const found = citationsOf(outcome.text, sources.length)
    const clean = validation.warnings.every(({ kind }) => kind === 'mode_fallback')
    const status: AskStatus = cacheHit ? 'cached' : !validation.ok ? 'gave_up' : clean ? 'valid' : 'lenient'
    await this.#audit({ status, outcome, validation, citations: found.map(({ marker }) => marker) })
    if (!validation.ok) return { ok: false, status: 422, error: 'ASK citation validation failed after retry', validation }
    return {
      ok: true,
      status: 200,
      envelope: askEnvelope({
        answer: outcome.text,
        cacheHit,
        citations: found,
        completionTokens: outcome.usage.completionTokens,
        costUsd: outcome.usage.cost ?? 0,
        mode,
        model: this.#model,
        promptTokens: outcome.usage.promptTokens,
        provider: this.#provider.name,
        retryCount: outcome.attempts - 1,
        sources,
        validation,
      }),
    }
  }

  async #refuse(breach: Breach, outcome: Outcome | undefined): Promise<AskRefused> {
    await this.#audit({ status: 'refused', outcome, limit: breach.limit, failure: { kind: 'limit', detail: breach.detail } })
    return { ok: false, status: breach.status, error: breach.detail, limit: breach.limit }
  }

  #guard(): Guard {
    const { ledger, today } = this.#with
    const { request, sourcesBytes, limits } = this.#question
    const tenant = request.tenant ?? ''
    const rest = (): { readonly sourcesBytes: number; readonly elapsedMs: number } => ({
      sourcesBytes,
      elapsedMs: this.#question.elapsed(),
    })
    const generous = { ...limits, completionTokens: limits.completionTokens * estimateMargin }
    const { price } = this.#provider
    return {
      before: async (tokens) => {
        const costUsd = price === undefined ? 0 : tokens.promptTokens * price.prompt
        return guardCost({ ...tokens, ...rest(), costUsd }, (await ledger.read(tenant)) ?? freshDay(today()), limits, today())
      },
      during: (tokens) => guardCost({ ...tokens, ...rest() }, freshDay(today()), generous, today()),
      after: async (tokens, usage) => {
        if (usage?.cost !== undefined && usage.cost > 0) await ledger.add(tenant, usage.cost, today())
        return guardCost({ ...tokens, ...rest() }, freshDay(today()), limits, today())
      },
    }
  }

  #key(): Promise<string> {
    const { request, fingerprint } = this.#question
    const { tenant = '', user = '', question } = request
    const inputs = { question, provider: this.#provider.name, model: this.#model, ...this.#knobs, fingerprint }
    return answerCacheKey({ tenant, user }, inputs)
  }

  async #fromCache(key: string): Promise<string | undefined> {
    const kept = await this.#with.cache.get(key)
    if (kept === undefined) return undefined
    const { sourceNames } = this.#question
    const sameOrder = kept.sources.length === sourceNames.length && kept.sources.every((name, index) => name === sourceNames[index])
    return sameOrder && (await isStillValid(kept.text, this.#question)) ? kept.text : undefined
  }

  async #audit(
    end: Pick<AuditState, 'status' | 'failure' | 'limit'> & {
      readonly outcome: Pick<Outcome, 'text' | 'attempts' | 'usage'> | undefined
      readonly validation?: AskValidation
      readonly citations?: readonly number[]
    },
  ): Promise<void> {
    const { status, failure, limit, outcome, validation, citations = [] } = end
    const { request } = this.#question
    const state: AuditState = {
      answer: outcome?.text,
      cacheHit: status === 'cached',
      citations,
      completionTokens: outcome?.usage.completionTokens ?? 0,
      costUsd: outcome?.usage.cost ?? 0,
      errors: validation?.errors ?? [],
      failure,
      limit,
      mode: this.#resolved.mode,
      model: this.#model,
      promptTokens: outcome?.usage.promptTokens ?? 0,
      provider: this.#provider.name,
      question: request.question,
      retryCount: Math.max(0, (outcome?.attempts ?? 1) - 1),
      role: request.role,
      seed: this.#knobs.seed,
      sourcesUrns: request.sources.map(({ urn }) => urn),
      status,
      temperature: this.#knobs.temperature,
      tenant: request.tenant,
      ts: this.#with.today(),
      user: request.user,
      validationOk: validation?.ok,
    }
    await this.#with.audit.write(await auditRow(state, this.#with.keep))
  }
}
