import { type Clock, type Contract, contract, type Message, type Ports } from '@stickler/core'
import {
  abortSignalOf,
  asRunnerFailure,
  describeFailure,
  type Executor,
  openCancelScope,
  promptTokens,
  Stop,
  utf8Length,
} from '@stickler/core/internal'
import {
  type AskMode,
  type AskSource,
  type AskWarning,
  type CostLimits,
  citedAnswers,
  guardCost,
  lateBreach,
} from '@stickler/presets/internal'
import { degradedNodes } from '../pipeline/degraded-nodes.ts'
import type { Prepared } from '../pipeline/prepared.ts'
import type { PipelineRequest } from '../pipeline/request.ts'
import { askPrompt } from '../question/prompt.ts'
import type { AskRequest } from '../question/request.ts'
import type { NodeTrace } from '../reply/node-trace.ts'
import { type AskRefused, failureReply, limitReply } from '../reply/reply.ts'
import type { AnswerRules, QuestionParts } from './question-parts.ts'

/**
 * The share of the remaining tokens for passages: a retry sends the answer too, and providers may
 * count more than the estimate.
 */
const passagesShare = 0.75

/**
 * The rejection of a request whose question, turns and own sources alone are too large for a
 * prompt.
 */
function promptExcess(request: AskRequest, limits: CostLimits): AskRefused | undefined {
  const usage = { promptTokens: leastTokens(request), completionTokens: 0, sourcesBytes: 0, elapsedMs: 0 }
  const breach = guardCost(usage, limits)
  return breach && limitReply(breach)
}

/** Returns whether retrieved passages leave a prompt within the limits. */
function passagesFit(request: AskRequest, limits: CostLimits): (prompt: readonly Message[], sources: readonly AskSource[]) => boolean {
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
function leastTokens({ question, history = [], sources = [] }: AskRequest): number {
  const asked = askPrompt(question, sources).filter(({ role }) => role !== 'system')
  return promptTokens([...history, ...asked])
}

/** Whether a request goes through the pipeline, where there is one. */
export function isPiped({ type, sources }: AskRequest): boolean {
  return type !== undefined || sources === undefined
}

/** Classifies, retrieves and judges the context of questions with a type, or without sources. */
export interface AskPipeline {
  /** As `preparePipeline` makes it. */
  prepare(request: PipelineRequest): Promise<Prepared>
  /** What the contracts of the types need, such as the parser. */
  readonly ports?: Ports
  /** Checks large answers elsewhere, with the same ports. */
  readonly executor?: Executor | undefined
}

/** What preparing a question needs. */
interface PreparedWith {
  readonly pipeline?: AskPipeline | undefined
  /** Checks large answers to questions that bring their sources elsewhere. */
  readonly executor?: Executor | undefined
  readonly limits: CostLimits
  readonly clock: Clock
  /** Milliseconds since the question was asked. */
  elapsed(): number
}

/** Everything that a question needs before a model answers it, within its time limit; or why it gets no answer. */
export async function prepareQuestion(request: AskRequest, terms: PreparedWith): Promise<QuestionParts | AskRefused> {
  const { pipeline, limits, clock, elapsed, executor } = terms
  if (pipeline === undefined || !isPiped(request)) return plainQuestion(request, executor)
  const nodes: NodeTrace[] = []
  const excess = promptExcess(request, limits)
  if (excess !== undefined) return { ...excess, nodes }
  const scope = openCancelScope(abortSignalOf(request.signal ?? new Stop()), clock)
  scope.limit(Math.max(0, limits.timeMs - elapsed()), 'the time limit of the question has passed')
  const onNode = (node: NodeTrace): void => void nodes.push(node)
  try {
    const wishes = { ...wishesOf(request), fits: passagesFit(request, limits), signal: scope.signal, onNode }
    return partsOf(request, await scope.hold(pipeline.prepare(wishes)), pipeline)
  } catch (thrown) {
    const failure = describeFailure(asRunnerFailure(thrown))
    // Only the request's own deadline counts as a timeout: slow parts have their own limits, and
    // are skipped.
    const late = failure.kind === 'timeout' ? limitReply(lateBreach(limits, elapsed())) : failureReply(failure)
    return { ...late, nodes }
  } finally {
    scope.release()
  }
}

/** A question with its own sources: strict citations, and nothing else. */
function plainQuestion({ question, sources = [] }: AskRequest, executor: Executor | undefined): QuestionParts {
  const rules = { cites: true, contract: askContract, ...(executor ? { executor } : {}) }
  return { sources, prompt: askPrompt(question, sources), rules, warnings: [] }
}

/** The contract of a question: strict as in the preset, or lenient without a retry. */
export function askContract(mode: AskMode, live: boolean, deadlineMs: number): Contract {
  const policy = mode === 'strict' ? {} : ({ mode, retries: 0 } as const)
  const budget = { deadlineMs: Math.max(1, Math.ceil(deadlineMs)) }
  return contract({ preset: citedAnswers, ...policy, ...(live ? { stream: 'verified' } : {}), budget })
}

function wishesOf({ question, history = [], type, sources }: AskRequest): Pick<PipelineRequest, 'query' | 'history' | 'type' | 'sources'> {
  return { query: question, history, ...(type === undefined ? {} : { type }), ...(sources === undefined ? {} : { sources }) }
}

/** What a prepared request means for answering it. */
function partsOf(request: AskRequest, prepared: Prepared, pipeline: AskPipeline): QuestionParts {
  return {
    // Sources from the caller have their own versions.
    sources: request.sources ?? prepared.sources,
    prompt: prepared.prompt,
    rules: pipelineRules(prepared, pipeline),
    prepared,
    warnings: warningsOf(prepared),
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
