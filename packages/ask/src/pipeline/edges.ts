import type { PipelineState } from './state.ts'

/** The end of a graph, as LangGraph names it. */
export const end = '__end__'

/** The edge after `classify`: sources from the caller replace retrieval. */
export function afterClassify({
  type,
  given,
}: Pick<PipelineState, 'type' | 'given'>): 'reformulate' | 'generate' | 'generate_code' | 'respond_conversational' | 'respond_platform' {
  if (type === 'CONVERSATIONAL') return 'respond_conversational'
  if (type === 'PLATFORM') return 'respond_platform'
  if (!given) return 'reformulate'
  return type === 'CODE_GENERATION' ? 'generate_code' : 'generate'
}

/** The edge after `retrieve`: the context is checked once, if there was a retrieval. */
export function afterRetrieve({
  type,
  retry,
  context_relevant,
  retriever_failed,
}: Pick<PipelineState, 'type' | 'retry' | 'context_relevant' | 'retriever_failed'>):
  | 'check_context_relevance'
  | 'generate'
  | 'generate_code' {
  if (type === 'CODE_GENERATION') return 'generate_code'
  // If the index was unavailable, another wording would not help.
  const isOpen = retry === 'unspent' && context_relevant === null && retriever_failed === ''
  return isOpen ? 'check_context_relevance' : 'generate'
}

/** The edge after `check_context_relevance`: reformulate, once, or continue. */
export function afterRelevance({
  retry,
  context_relevant,
}: Pick<PipelineState, 'retry' | 'context_relevant'>): 'reformulate_with_hint' | 'generate' {
  return context_relevant === false && retry === 'unspent' ? 'reformulate_with_hint' : 'generate'
}

/** The edge after `validate_code`: to the retry, once, or to the end of the graph. */
export function afterValidation({
  retry,
  parser_feedback,
}: Pick<PipelineState, 'retry' | 'parser_feedback'>): 'generate_code_retry' | typeof end {
  return parser_feedback !== '' && retry === 'unspent' ? 'generate_code_retry' : end
}
