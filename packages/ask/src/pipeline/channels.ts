import type { PipelineState } from './state.ts'

/** Every part of the state as a channel that keeps the last value: `new StateGraph<PipelineState>({ channels: pipelineChannels })`. */
export const pipelineChannels: Readonly<Record<keyof PipelineState, null>> = {
  query: null,
  history: null,
  type: null,
  search: null,
  chunks: null,
  given: null,
  retrievals: null,
  retriever_failed: null,
  context_relevant: null,
  retry: null,
  answer: null,
  finish_reason: null,
  verdict: null,
  parser_trace: null,
  parser_feedback: null,
  validation_status: null,
  trace: null,
}
