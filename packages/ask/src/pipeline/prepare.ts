import { defined } from '@stickler/core/internal'
import { afterClassify, afterRelevance, afterRetrieve } from './edges.ts'
import { checkContextRelevance } from './nodes/check-context-relevance.ts'
import { classify } from './nodes/classify.ts'
import { reformulate } from './nodes/reformulate.ts'
import { reformulateWithHint } from './nodes/reformulate-with-hint.ts'
import { retrieve } from './nodes/retrieve.ts'
import { type Needs, type PrepareOptions, readNeeds } from './options.ts'
import { type Prepared, preparedOf } from './prepared.ts'
import { type PipelineRequest, pipelineState } from './request.ts'
import type { PipelineState } from './state.ts'
import { type NodeConfig, step } from './step.ts'

/**
 * Prepares requests: classified, reformulated, retrieved, checked for relevance; everything before
 * the generation. Rejects with a PipelineRefusal for an empty query, and with a RunnerFailure when
 * it is aborted.
 */
export function preparePipeline(options: PrepareOptions): (request: PipelineRequest) => Promise<Prepared> {
  const needs = readNeeds(options)
  return async (request) => await prepareRequest(request, needs)
}

/** Prepares one request. */
export async function prepareRequest(request: PipelineRequest, needs: Needs): Promise<Prepared> {
  const { query, signal, onNode } = request
  return preparedOf(await prepare(pipelineState(query, request), forRequest(needs, request), { signal, onNode }), needs)
}

function forRequest(needs: Needs, { classifier, reformulation, relevance, fits }: PipelineRequest): Needs {
  return { ...needs, ...defined({ classifier, reformulation, relevance, fits }) }
}

/**
 * The graph up to the generation. Passing the state that spent the retry to another reformulation
 * does not compile.
 */
async function prepare(start: PipelineState<'unspent'>, needs: Needs, config: NodeConfig): Promise<PipelineState> {
  const asked = await step('classify', classify, start, needs, config)
  if (afterClassify(asked) !== 'reformulate') return asked
  const worded = await step('reformulate', reformulate, asked, needs, config)
  const found = await step('retrieve', retrieve, worded, needs, config)
  if (afterRetrieve(found) !== 'check_context_relevance') return found
  const judged = await step('check_context_relevance', checkContextRelevance, found, needs, config)
  if (afterRelevance(judged) !== 'reformulate_with_hint') return judged
  const broader = await step('reformulate_with_hint', reformulateWithHint, judged, needs, config)
  return await step('retrieve', retrieve, broader, needs, config)
}
