import {
  type AskKnobs,
  type AskProvider,
  type AskRefused,
  type AskReply,
  type AskService,
  type AskSettings,
  type AskStep,
  openAsk,
} from '@stickler/ask'
import { askContract, isPiped, leftReply, type ReadRequest, readCostLimits } from '@stickler/ask/internal'
import type { TraceEvent, Usage } from '@stickler/core'
import type { AskedParameters, Price } from '@stickler/core/internal/apis'
import { attemptsUsage, UpstreamRunner } from '@stickler/core/internal/relay'
import { goingDown, isCutOff } from '../../front/replies/overload-errors.ts'
import { tracingHeaders } from '../../front/request-id.ts'
import type { AttemptRecord, RunRecord } from '../../records/run/run-record.ts'
import { askedTokens } from '../../requests/budgets/asked-tokens.ts'
import { askCostBound, type CostBound } from '../../requests/budgets/cost-bound.ts'
import { dearest } from '../../requests/budgets/highest-price.ts'
import type { MostAsked } from '../../requests/budgets/key-budgets.ts'
import { forCaller } from '../../requests/caller-ports.ts'
import { pipelineCostBound } from '../../requests/pipeline/pipeline-cost-bound.ts'
import { type Caller, Request } from '../../requests/request.ts'
import type { RouteDependencies } from '../../requests/request-ports.ts'
import { type FailedAttempts, RunLog } from '../../requests/run-log.ts'
import { priceOf } from '../../upstreams/prices.ts'
import type { Upstream } from '../../upstreams/upstream.ts'
import { userOf, WatchedAudit } from './ask-refusals.ts'
import { type AskTarget, type AskTargetPipeline, type AskTargets, helperTarget, pricesOf } from './ask-settings.ts'
import { questionRecord } from './question-record.ts'

/** Who asks a question, over any protocol. */
export interface AskCaller extends Caller {
  /** The session that the caller names. */
  readonly session?: string
}

/** The reply when the gateway shuts down before the answer is complete. */
export const cutOffReply: AskRefused = {
  ok: false,
  status: goingDown.status,
  error: goingDown.message,
  failure: { kind: 'aborted', message: goingDown.message },
}

/** Whether a reply is lost because the gateway shuts down. */
export function isLost(reply: AskReply): boolean {
  return !reply.ok && reply.failure === cutOffReply.failure
}

/** A question about sources; its run is recorded before the end of the reply is sent. */
export class Question extends Request<AskCaller, RouteDependencies> implements FailedAttempts {
  readonly settings: AskTargets
  readonly log: RunLog
  /** How its last run ended. */
  end: Extract<TraceEvent, { type: 'run-ended' }> | undefined = undefined
  unchecked: RunRecord['unchecked'] = []
  readonly #audit: WatchedAudit
  readonly #asked: ReadRequest
  /** All calls, also those of helpers. */
  #runners: readonly UpstreamRunner[] = []
  #calls = 0

  constructor(caller: AskCaller, asked: ReadRequest, settings: AskTargets, dependencies: RouteDependencies, way = 'ask') {
    super(caller, way, dependencies)
    const user = userOf(caller.headers)
    this.#asked = { ...asked, tenant: caller.identity.key, ...(user === undefined ? {} : { user }), signal: caller.signal }
    this.settings = settings
    this.#audit = new WatchedAudit(settings.audit)
    this.log = new RunLog(dependencies.current().keepText, this)
  }

  /** Whether its audit row is written. */
  get isAudited(): boolean {
    return this.#audit.isWritten
  }

  /** What all calls have used, reported or estimated. */
  get used(): Usage {
    return attemptsUsage(this.#runners.flatMap(({ attempts }) => attempts))
  }

  /** The model that the caller names, or that of the first target. */
  get model(): string {
    return this.#asked.model ?? this.settings.targets[0]?.model ?? ''
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
    const service = openAsk(this.#askSettings())
    return { isRefused: service.refusal(this.#asked) !== undefined, answer: (streaming) => this.#answer(service, streaming) }
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

  async *#answer(service: AskService, isStream: boolean): AsyncGenerator<AskStep, AskReply> {
    const steps = service.steps(this.#asked, isStream)
    let isLeft = true
    try {
      for (;;) {
        const step = await steps.next()
        if (step.done) {
          isLeft = false
          return await this.#recorded(step.value, isStream)
        }
        yield step.value
      }
    } catch (error) {
      isLeft = false
      throw error
    } finally {
      await steps.return(leftReply)
      if (isLeft) await this.#recorded(leftReply, isStream)
    }
  }

  #askSettings(): AskSettings {
    const { targets, places: _places, pipeline, begin: _begin, ...settings } = this.settings
    const { caller } = this.caller
    const spans = this.trace?.listen(0, () => this.#runners.at(-1)?.attempts.at(-1)?.call)
    return {
      ...settings,
      audit: this.#audit,
      ...(settings.executor && { executor: settings.executor.for?.(caller) ?? settings.executor }),
      providers: targets.map((target) => this.#providerOf(target, askedOf(this.#asked))),
      ...(pipeline === undefined
        ? {}
        : {
            pipeline: {
              ...forCaller({ ports: pipeline.ports ?? {}, executor: pipeline.executor }, caller),
              prepare: (request, modelOf) =>
                pipeline.prepare(request, { of: (helper) => helper && modelOf(this.#providerOf(helperTarget(helper), noneAsked)) }),
            },
          }),
      onEvent: (event) => {
        this.log.listen(event)
        spans?.(event)
        if (event.type === 'run-ended') this.end = event
        if (event.type === 'checked') this.unchecked = event.unchecked
      },
    }
  }

  #providerOf({ upstream, ...provider }: AskTarget, asked: AskedParameters): AskProvider {
    const runner = (knobs: AskKnobs): UpstreamRunner => {
      const made = this.#runnerOf(upstream, knobs, asked, priceOf(provider, knobs.model))
      this.#runners = [...this.#runners, made]
      return made
    }
    return { ...provider, runner }
  }

  #runnerOf(
    upstream: Upstream,
    { model, ...parameters }: AskKnobs,
    askedParameters: AskedParameters,
    price: Price | undefined,
  ): UpstreamRunner {
    const { requestId, caller, headers } = this.caller
    return new UpstreamRunner({
      price,
      promptTokens: (messages, format) => askedTokens({ chat: { model } }, messages, format),
      start: (messages, { signal, stream, timeLeftMs, format, onRepeat }, _choice, _isFirst, continuation) => {
        // Each provider's first call is one more too, unless it is the first of all.
        if (++this.#calls > 1) this.again()
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

const noneAsked: AskedParameters = new Set()

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

/** The most that a question can cost. */
function questionCostBound(
  request: ReadRequest,
  isStreamed: boolean,
  { targets, pipeline: configured, limits: written = {} }: AskTargets,
): ReturnType<MostAsked> {
  const limits = readCostLimits(written)
  const { question, sources, history } = request
  const pipeline = isPiped(request) ? configured : undefined
  const asked = askCostBound(
    { question, sources, history },
    {
      providers: targets.length,
      contract: pipeline?.dearest ?? askContract('strict', isStreamed, limits.timeMs),
      isStreamed,
      completion: limits.completionTokens,
    },
  )
  const helpers = Object.values(pipeline?.helpers ?? {}).flatMap(({ price }) => (price === undefined ? [] : [price]))
  return {
    tokens: pipeline === undefined ? asked : prepared(asked, request, pipeline),
    price: dearest([...targets.flatMap(pricesOf), ...helpers]),
  }
}

/** Including retrieval and helper calls; 0 where the request already settles them. */
function prepared(most: CostBound, { type, sources }: ReadRequest, { chunks, helpers }: AskTargetPipeline): CostBound {
  const { classifier, ...others } = helpers
  const retrieves = sources === undefined && type !== 'CONVERSATIONAL' && type !== 'PLATFORM'
  const classifies = type === undefined && classifier !== undefined ? { classifier } : {}
  return retrieves ? pipelineCostBound(most, { chunks, helpers: { ...others, ...classifies } }) : most
}
