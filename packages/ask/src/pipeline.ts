export { type NodeName, type NodeTrace, nodeNames } from './pipeline/node-trace.ts'
export { type QueryType, queryTypes } from './pipeline/query-type.ts'
export type { PipelineState, RetryBudget } from './pipeline/state.ts'
