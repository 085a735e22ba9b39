import type { NodeName } from '../reply/node-trace.ts'
import { afterClassify, afterRelevance, afterRetrieve, afterValidation, end } from './edges.ts'
import { checkContextRelevance } from './nodes/check-context-relevance.ts'
import { classify } from './nodes/classify.ts'
import { generate, respond } from './nodes/generate.ts'
import { generateCode, generateCodeRetry } from './nodes/generate-code.ts'
import { reformulate } from './nodes/reformulate.ts'
import { reformulateWithHint } from './nodes/reformulate-with-hint.ts'
import { retrieve } from './nodes/retrieve.ts'
import { validateCode } from './nodes/validate-code.ts'
import { type GenerationNeeds, type PipelineOptions, readGenerationNeeds } from './options.ts'
import type { PipelineState, RetryBudget } from './state.ts'
import { change, type NodeConfig, type PureNode } from './step.ts'

/** A node of a graph: what it changes in the state. */
export type GraphNode = (state: PipelineState, config?: NodeConfig) => Promise<Partial<PipelineState>>

/** The nodes by their names, and the conditional edges. */
export interface PipelineNodes extends Readonly<Record<NodeName, GraphNode>> {
  readonly afterClassify: typeof afterClassify
  readonly afterRetrieve: typeof afterRetrieve
  readonly afterRelevance: typeof afterRelevance
  readonly afterValidation: typeof afterValidation
}

/**
 * The nodes and edges of the pipeline for a custom graph, such as one of LangGraph.js. A graph that
 * returns to a node whose work is done, or whose retry is spent, makes no further calls.
 */
export function pipelineNodes(options: PipelineOptions): PipelineNodes {
  const needs = readGenerationNeeds(options)
  const bound = <Change extends Partial<PipelineState>>(
    name: NodeName,
    node: PureNode<PipelineState, Change, GenerationNeeds>,
    isDue: (state: PipelineState) => boolean,
  ): GraphNode => guarded(name, node, (state): state is PipelineState => isDue(state), needs)
  return {
    classify: bound('classify', classify, isNew('classify')),
    reformulate: bound('reformulate', reformulate, isNew('reformulate')),
    retrieve: bound('retrieve', retrieve, mayRetrieve),
    check_context_relevance: bound('check_context_relevance', checkContextRelevance, isNew('check_context_relevance')),
    reformulate_with_hint: guarded('reformulate_with_hint', reformulateWithHint, isUnspent, needs),
    generate: bound('generate', generate, isNew('generate')),
    generate_code: bound('generate_code', generateCode, isNew('generate_code')),
    validate_code: bound('validate_code', validateCode, isUnjudged),
    generate_code_retry: guarded('generate_code_retry', generateCodeRetry, isWorthRetrying, needs),
    respond_conversational: bound('respond_conversational', respond('CONVERSATIONAL'), isNew('respond_conversational')),
    respond_platform: bound('respond_platform', respond('PLATFORM'), isNew('respond_platform')),
    afterClassify,
    afterRetrieve,
    afterRelevance,
    afterValidation,
  }
}

/**
 * Types prevent spending a retry twice; graphs and stored states have no types, so it is checked
 * here too.
 */
function guarded<State extends PipelineState, Change extends Partial<PipelineState>>(
  name: NodeName,
  node: PureNode<State, Change, GenerationNeeds>,
  isDue: (state: PipelineState) => state is State,
  needs: GenerationNeeds,
): GraphNode {
  return async (state, config = {}) => (isDue(state) ? await change(name, node, state, needs, config) : {})
}

function isNew(name: NodeName): (state: PipelineState) => boolean {
  return (state) => count(state, name) === 0
}

function mayRetrieve(state: PipelineState): boolean {
  return !state.given && state.retrievals < (isUnspent(state) ? 1 : 2)
}

function isUnspent(state: PipelineState<RetryBudget>): state is PipelineState<'unspent'> {
  return state.retry === 'unspent'
}

function isWorthRetrying(state: PipelineState): state is PipelineState<'unspent'> {
  return isUnspent(state) && afterValidation(state) !== end
}

/** One verdict for each answer: that of the model, and that of its retry. */
function isUnjudged(state: PipelineState): boolean {
  return count(state, 'validate_code') < count(state, 'generate_code') + count(state, 'generate_code_retry')
}

function count({ trace }: PipelineState, name: NodeName): number {
  return trace.filter(({ node }) => node === name).length
}
