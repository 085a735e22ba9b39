import type { PipelineState } from './state.ts'

/** The end of a graph, as LangGraph names it. */
export const end = '__end__'

/** Where to go after `classify`: sources that the caller gave take the place of retrieval. */
export function afterClassify({
  type,
  given,
}: Pick<PipelineState, 'type' | 'given'>): 'reformulate' | 'generate' | 'generate_code' | 'respond_conversational' | 'respond_platform' {
  if (type === 'CONVERSATIONAL') return 'respond_conversational'
  if (type === 'PLATFORM') return 'respond_platform'
  if (!given) return 'reformulate'
  return type === 'CODE_GENERATION' ? 'generate_code' : 'generate'
}

/** Where to go after `retrieve`: the context is checked once, when there was a retrieval to check. */
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
  // Whether the index holds an answer is unknown when it could not be asked; another wording would not help.
  const isOpen = retry === 'unspent' && context_relevant === null && retriever_failed === ''
  return isOpen ? 'check_context_relevance' : 'generate'
}

/** Where to go after `check_context_relevance`: to another wording, once, or on. */
export function afterRelevance({
  retry,
  context_relevant,
}: Pick<PipelineState, 'retry' | 'context_relevant'>): 'reformulate_with_hint' | 'generate' {
  return context_relevant === false && retry === 'unspent' ? 'reformulate_with_hint' : 'generate'
}

/** Where to go after `validate_code`: to the retry, once, or to the end of the graph. */
export function afterValidation({
  retry,
  parser_feedback,
}: Pick<PipelineState, 'retry' | 'parser_feedback'>): 'generate_code_retry' | typeof end {
  return parser_feedback !== '' && retry === 'unspent' ? 'generate_code_retry' : end
}
