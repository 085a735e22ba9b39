import type { Contract, Usage } from '@stickler/core'
import { degradedNodes } from '../pipeline/degraded-nodes.ts'
import type { Prepared } from '../pipeline/prepared.ts'
import type { AnswerRules, QuestionParts } from '../question/question-parts.ts'
import type { AskRequest } from '../question/request.ts'
import type { AskWarning } from '../reply/envelope.ts'
import type { AskPipeline } from './ask-pipeline.ts'

/** What a prepared request means for answering it. */
export function partsOf(request: AskRequest, prepared: Prepared, pipeline: AskPipeline, usage: Usage): QuestionParts {
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
