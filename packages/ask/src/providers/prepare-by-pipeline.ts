import type { Contract, Message, Usage } from '@stickler/core'
import {
  abortSignalOf,
  addUsage,
  asRunnerFailure,
  describeFailure,
  noUsage,
  openCancelScope,
  promptTokens,
  Stop,
  utf8Length,
} from '@stickler/core/internal'
import type { AskModel } from '@stickler/core/validators'
import type { AskSource, AskStatus, AskWarning, AuditPipeline } from '@stickler/presets/internal'
import { type CostLimits, freshDay, guardCost, lateVerdict } from '@stickler/presets/internal'
import { auditPipeline } from '../audit/audit-pipeline.ts'
import { degradedNodes } from '../pipeline/degraded-nodes.ts'
import type { Prepared } from '../pipeline/prepared.ts'
import type { PipelineRequest } from '../pipeline/request.ts'
import type { AskProvider } from '../ports.ts'
import { decideDeterminism } from '../question/determinism.ts'
import { askPrompt } from '../question/prompt.ts'
import type { AnswerRules, QuestionParts } from '../question/question-parts.ts'
import type { ReadRequest } from '../question/request.ts'
import type { NodeTrace } from '../reply/node-trace.ts'
import { type AskRefused, failureReply, limitReply, unavailableReply } from '../reply/reply.ts'
import type { AskDependencies } from '../settings.ts'
import { type Spender, SpendGuard, type SpendPorts } from '../spending/spend-guard.ts'
import type { AskPipeline } from './ask-pipeline.ts'
import { capabilitiesOf } from './capabilities.ts'
import { GuardedRunner } from './guarded-runner.ts'

/**
 * The share of the remaining tokens for passages: a retry sends the answer too, and providers may
 * count more than the estimate.
 */
const passagesShare = 0.75

/**
 * The rejection of a request whose question, turns and own sources alone are too large for a
 * prompt.
 */
function promptExcess(request: ReadRequest, limits: CostLimits): AskRefused | undefined {
  const usage = { promptTokens: leastTokens(request), completionTokens: 0, sourcesBytes: 0, elapsedMs: 0 }
  const verdict = guardCost(usage, freshDay(0), limits, 0)
  return verdict.allowed ? undefined : limitReply(verdict)
}

/** Returns whether retrieved passages leave a prompt within the limits. */
function passagesFit(request: ReadRequest, limits: CostLimits): (prompt: readonly Message[], sources: readonly AskSource[]) => boolean {
  const least = leastTokens(request)
  const mostTokens = least + (limits.promptTokens - least) * passagesShare
  return (prompt, sources) => {
    const bytes = sources.map(({ payload }) => utf8Length(payload))
    return (
      sources.length <= limits.sources &&
      bytes.every((one) => one <= limits.sourceBytes) &&
      bytes.reduce((sum, one) => sum + one, 0) <= limits.sourcesBytes &&
      promptTokens(prompt) <= mostTokens
    )
  }
}

/** Tokens of a prompt without its rules, which differ by type. */
function leastTokens({ question, history = [], sources = [] }: ReadRequest): number {
  const asked = askPrompt(question, sources).filter(({ role }) => role !== 'system')
  return promptTokens([...history, ...asked])
}

/**
 * The model calls that prepare one question: each is limited like a call that answers it, and all
 * are billed.
 */
class PreparingCalls {
  readonly #spender: Spender
  readonly #with: SpendPorts
  readonly #runners: GuardedRunner[] = []

  constructor(spender: Spender, dependencies: SpendPorts) {
    this.#spender = spender
    this.#with = dependencies
  }

  /** What all calls have used. */
  get usage(): Usage {
    return this.#runners.reduce<Usage>((sum, { usage }) => addUsage(sum, usage), noUsage)
  }

  /** Why spending could not be read or saved. */
  get fault(): GuardedRunner['fault'] {
    return this.#runners.find(({ fault }) => fault !== undefined)?.fault
  }

  /** A provider as a model that answers one prompt with text. */
  modelOf(provider: AskProvider): AskModel {
    const { limits } = this.#spender
    const capabilities = capabilitiesOf(provider.name, provider.capabilities ? { [provider.name]: provider.capabilities } : {})
    const knobs = { ...decideDeterminism({}, capabilities, {}), model: provider.model, maxTokens: limits.completionTokens }
    return async (prompt, signal = new AbortController().signal) => {
      const inner = typeof provider.runner === 'function' ? provider.runner(knobs) : provider.runner
      const runner = new GuardedRunner(inner, new SpendGuard(this.#spender, provider, this.#with))
      this.#runners.push(runner)
      let text = ''
      const timeLeftMs = Math.max(1, limits.timeMs - this.#spender.elapsed())
      for await (const event of runner.run(undefined, prompt, { signal, stream: false, timeLeftMs })) {
        if (event.type === 'text') text += event.text
      }
      return text
    }
  }
}

/** A preparation that ended without a question, with its audit data. */
interface Unprepared {
  readonly reply: AskRefused
  readonly end: EarlyEnd
}

/** Whether a request goes through the pipeline, where there is one. */
export function isPiped({ type, sources }: ReadRequest): boolean {
  return type !== undefined || sources === undefined
}

/** Takes a request through the pipeline up to its generation, within the time limit of the question. */
export async function prepareByPipeline(
  request: ReadRequest,
  elapsed: () => number,
  pipeline: AskPipeline,
  dependencies: AskDependencies,
): Promise<QuestionParts | Unprepared> {
  const { limits, clock } = dependencies
  const calls = new PreparingCalls({ request, limits, sourcesBytes: 0, elapsed }, dependencies)
  const nodes: NodeTrace[] = []
  const ended = (reply: AskRefused, kind: string | undefined, status: EarlyEnd['status']): Unprepared => ({
    reply: { ...reply, nodes },
    end: { status, kind, usage: calls.usage, pipeline: wayOf(nodes) },
  })
  const excess = promptExcess(request, limits)
  if (excess !== undefined) return ended(excess, 'limit', 'refused')
  const scope = openCancelScope(abortSignalOf(request.signal ?? new Stop()), clock)
  scope.limit(Math.max(0, limits.timeMs - elapsed()), 'the time limit of the question has passed')
  const onNode = (node: NodeTrace): void => void nodes.push(node)
  try {
    const wishes = { ...wishesOf(request), fits: passagesFit(request, limits), signal: scope.signal, onNode }
    const prepared = await scope.hold(pipeline.prepare(wishes, (provider) => calls.modelOf(provider)))
    if (calls.fault === undefined) return partsOf(request, prepared, pipeline, calls.usage)
    return ended(unavailableReply(calls.fault.error, 'the spending could not be read or saved'), 'unavailable', 'failed')
  } catch (thrown) {
    const failure = describeFailure(asRunnerFailure(thrown))
    // Only the request's own deadline counts as a timeout: slow parts have their own limits, and
    // are skipped.
    if (failure.kind === 'timeout') return ended(limitReply(lateVerdict(limits, elapsed())), 'limit', 'refused')
    return ended(failureReply(failure), failure.kind, 'failed')
  } finally {
    scope.release()
  }
}

function wishesOf({ question, history = [], type, sources }: ReadRequest): Pick<PipelineRequest, 'query' | 'history' | 'type' | 'sources'> {
  return { query: question, history, ...(type === undefined ? {} : { type }), ...(sources === undefined ? {} : { sources }) }
}

/** Summary of a run that ended early. */
function wayOf(nodes: readonly NodeTrace[]): EarlyEnd['pipeline'] {
  const type = nodes.findLast((trace) => trace.type !== undefined)?.type?.is ?? null
  const relevance = nodes.find((trace) => trace.relevance !== undefined)?.relevance
  const known = {
    type,
    contextRelevant: relevance?.relevant ?? null,
    reformulations: nodes.filter(({ node }) => node === 'reformulate_with_hint').length,
    ...(relevance?.score === undefined ? {} : { relevanceScore: relevance.score }),
  }
  return auditPipeline(known, nodes)
}

/** What a prepared request means for answering it. */
function partsOf(request: ReadRequest, prepared: Prepared, pipeline: AskPipeline, usage: Usage): QuestionParts {
  const { type, contract, prompt, reformulations, context_relevant, trace } = prepared
  const score = trace.findLast(({ relevance }) => relevance !== undefined)?.relevance?.score
  return {
    // Sources from the caller have their own versions.
    sources: request.sources ?? prepared.sources,
    prompt,
    rules: pipelineRules(prepared, pipeline),
    preparation: {
      type,
      contract,
      contextRelevant: context_relevant ?? null,
      ...(score === undefined ? {} : { relevanceScore: score }),
      reformulations,
      warnings: warningsOf(prepared),
      nodes: trace,
      usage,
    },
  }
}

/**
 * A degraded answer says so; the reason is in the trace, because it may be a message of a service.
 */
function warningsOf({ sources, retriever_failed, trace }: Prepared): readonly AskWarning[] {
  const found = degradedNodes(trace)
  const nodes = new Set(found.filter(({ how }) => how === 'degraded').map(({ node }) => node))
  const degraded = [...nodes]
    .filter((node) => node !== 'retrieve')
    .map((node) => ({ kind: 'pipeline_degraded', detail: `${node} was degraded` }))
  const fellBack = found.some(({ how }) => how === 'fallback')
    ? [{ kind: 'relevance_fallback', detail: 'the configured relevance check did not run' }]
    : []
  const leftOut = trace.findLast(({ node }) => node === 'retrieve')?.left_out
  const fewer =
    leftOut === undefined ? [] : [{ kind: 'passages_left_out', detail: `${leftOut} of the retrieved passages did not fit into the prompt` }]
  return [...retrievalWarnings(), ...fewer, ...degraded, ...fellBack]

  function retrievalWarnings(): readonly AskWarning[] {
    if (retriever_failed !== undefined) return [{ kind: 'retrieval_unavailable', detail: 'passages could not be retrieved' }]
    if (nodes.has('retrieve')) return [{ kind: 'retrieval_degraded', detail: 'only one of the two searches worked' }]
    const isEmpty = sources.length === 0 && leftOut === undefined && trace.some(({ node }) => node === 'retrieve')
    return isEmpty ? [{ kind: 'retrieval_empty', detail: 'the index has no passages for the question' }] : []
  }
}

/** How answers to a prepared question are checked against the contract of its type. */
function pipelineRules(
  { contract, type }: Pick<Prepared, 'contract' | 'type'>,
  { ports, executor }: Pick<AskPipeline, 'ports' | 'executor'>,
): AnswerRules {
  return {
    cites: type === 'RETRIEVAL',
    ...(ports ? { ports } : {}),
    ...(executor ? { executor } : {}),
    contract: (mode, live, deadlineMs): Contract => {
      const { policy } = contract
      const budget = { ...policy.budget, deadlineMs: Math.max(1, Math.ceil(deadlineMs)) }
      const lenient = mode === 'lenient' ? ({ mode, retries: 0 } as const) : {}
      return { ...contract, policy: { ...policy, ...lenient, ...(live ? {} : { stream: 'hold' }), budget } }
    },
  }
}

/** The audit data of a question that ended before it reached a provider. */
export interface EarlyEnd {
  readonly status?: AskStatus | undefined
  /** The kind of failure. */
  readonly kind?: string | undefined
  readonly usage?: Usage
  readonly pipeline?: AuditPipeline | undefined
  /** The sources that were found, when the request had none. */
  readonly sources?: readonly AskSource[]
}
