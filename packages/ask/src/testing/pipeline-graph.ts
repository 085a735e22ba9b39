import { Annotation, END, START, StateGraph } from '@langchain/langgraph'
import type { PipelineNodes } from '../pipeline/pipeline-nodes.ts'
import type { PipelineState } from '../pipeline/state.ts'

const State = Annotation.Root({
  query: Annotation<PipelineState['query']>,
  history: Annotation<PipelineState['history']>,
  type: Annotation<PipelineState['type']>,
  search: Annotation<PipelineState['search']>,
  chunks: Annotation<PipelineState['chunks']>,
  given: Annotation<PipelineState['given']>,
  retrievals: Annotation<PipelineState['retrievals']>,
  retriever_failed: Annotation<PipelineState['retriever_failed']>,
  context_relevant: Annotation<PipelineState['context_relevant']>,
  retry: Annotation<PipelineState['retry']>,
  answer: Annotation<PipelineState['answer']>,
  finish_reason: Annotation<PipelineState['finish_reason']>,
  verdict: Annotation<PipelineState['verdict']>,
  parser_trace: Annotation<PipelineState['parser_trace']>,
  parser_feedback: Annotation<PipelineState['parser_feedback']>,
  validation_status: Annotation<PipelineState['validation_status']>,
  trace: Annotation<PipelineState['trace']>,
})

/** The design's graph, as an application writes it. */
export function graphOf(nodes: PipelineNodes) {
  return new StateGraph(State)
    .addNode('classify', nodes.classify)
    .addNode('reformulate', nodes.reformulate)
    .addNode('retrieve', nodes.retrieve)
    .addNode('check_context_relevance', nodes.check_context_relevance)
    .addNode('reformulate_with_hint', nodes.reformulate_with_hint)
    .addNode('generate', nodes.generate)
    .addNode('generate_code', nodes.generate_code)
    .addNode('validate_code', nodes.validate_code)
    .addNode('generate_code_retry', nodes.generate_code_retry)
    .addNode('respond_conversational', nodes.respond_conversational)
    .addNode('respond_platform', nodes.respond_platform)
    .addEdge(START, 'classify')
    .addConditionalEdges('classify', nodes.afterClassify)
    .addEdge('reformulate', 'retrieve')
    .addConditionalEdges('retrieve', nodes.afterRetrieve)
    .addConditionalEdges('check_context_relevance', nodes.afterRelevance)
    .addEdge('reformulate_with_hint', 'retrieve')
    .addEdge('generate_code', 'validate_code')
    .addConditionalEdges('validate_code', nodes.afterValidation)
    .addEdge('generate_code_retry', 'validate_code')
    .addEdge('generate', END)
    .addEdge('respond_conversational', END)
    .addEdge('respond_platform', END)
}
