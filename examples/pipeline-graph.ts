// Run the pipeline as a LangGraph.js graph that stops before the retry, is stored, and goes on from its checkpoint.
import { Annotation, END, MemorySaver, START, StateGraph } from '@langchain/langgraph'
import { type NodeTrace, type PipelineState, pipelineNodes, pipelineState, pipelines } from '@stickler/ask/pipeline'
import { scripted } from '@stickler/core/testing'
import { localParser } from '@stickler/parser'

const fenced = (code: string) => `~~~avap\n${code}\n~~~`
const wrong = fenced('addParam(name, name)\nreturnResult(name)')
const model = scripted([wrong, wrong.replace('returnResult', 'addResult'), 'Loops begin with startLoop [^1].'])

/** Stands for `hybridRetriever(…)` over an index; it knows one passage. */
const retriever = {
  async retrieve() {
    const text = 'Loops begin with startLoop(variable, from, to) and end with endLoop().'
    return { chunks: [{ urn: 'docs/loops.md#L1-L3', text, headings: ['Loops'], score: 1, ranks: { text: 1 } }] }
  },
}

const parser = localParser()
const nodes = pipelineNodes({ pipeline: pipelines.avap, runner: model, parser, retriever })
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
const graph = new StateGraph(State)
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

const checkpointer = new MemorySaver()
const path = (trace: readonly NodeTrace[]) => trace.map(({ node }) => node).join(' → ')

const thread = { configurable: { thread_id: 'code' } }
const stopped = await graph
  .compile({ checkpointer, interruptBefore: ['generate_code_retry'] })
  .invoke(pipelineState('Write an endpoint that returns its parameter.'), thread)
console.log(path(stopped.trace))
console.log(stopped.parser_trace)

const resumed = await graph.compile({ checkpointer }).invoke(null, thread)
console.log(path(resumed.trace))
console.log(resumed.answer)

const answered = await graph.compile().invoke(pipelineState('How do loops begin?'))
console.log(path(answered.trace))
console.log(answered.answer)
await parser.close()

// prints:
// classify → reformulate → retrieve → generate_code → validate_code
// Line 2: 'returnResult' not defined — did you mean 'addResult'?
// classify → reformulate → retrieve → generate_code → validate_code → generate_code_retry → validate_code
// ~~~avap
// addParam(name, name)
// addResult(name)
// ~~~
// classify → reformulate → retrieve → check_context_relevance → generate
// Loops begin with startLoop [^1].
