import type { Usage } from '@stickler/core'
import type { NodeTrace } from '../pipeline/node-trace.ts'
import type { Prepared } from '../pipeline/prepared.ts'
import type { QuestionParts } from '../question/question-parts.ts'
import type { AskRequest } from '../question/request.ts'
import type { AskWarning } from '../reply/envelope.ts'
import type { AskPipeline } from './ask-pipeline.ts'
import { pipelineRules } from './pipeline-rules.ts'

/** What a prepared request means for answering it. */
export function partsOf(request: AskRequest, prepared: Prepared, pipeline: AskPipeline, usage: Usage): QuestionParts {
  const { type, contract, prompt, reformulations, context_relevant, trace } = prepared
  const score = trace.findLast(({ relevance }) => relevance !== undefined)?.relevance?.score
  return {
    // What the caller gives has versions of its own.
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

/** An answer that had to do without what its type calls for says so. */
function warningsOf({ sources, retriever_failed, trace }: Prepared): readonly AskWarning[] {
  const degraded = trace.flatMap((node) => (node.degraded === undefined ? [] : [warningOf(node, node.degraded)]))
  if (retriever_failed !== undefined) {
    return [...degraded.filter(({ kind }) => kind !== 'retrieval_degraded'), { kind: 'retrieval_unavailable', detail: retriever_failed }]
  }
  const isEmpty = sources.length === 0 && trace.some(({ node }) => node === 'retrieve')
  return isEmpty ? [...degraded, { kind: 'retrieval_empty', detail: 'the index has no passage for the question' }] : degraded
}

function warningOf({ node }: NodeTrace, detail: string): AskWarning {
  return { kind: node === 'retrieve' ? 'retrieval_degraded' : 'pipeline_degraded', detail: `${node}: ${detail}` }
}
