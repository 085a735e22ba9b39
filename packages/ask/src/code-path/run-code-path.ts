import type { CodePath, NodeConfig } from './code-path.ts'
import type { CodeState } from './code-state.ts'

/** Runs the nodes of the code path without a graph. */
export async function runCodePath(path: CodePath, start: CodeState, config: NodeConfig = {}): Promise<CodeState> {
  let state = { ...start, ...(await path.generate_code(start, config)) }
  state = { ...state, ...(await path.validate_code(state, config)) }
  if (path.afterValidation(state) === '__end__') return state
  state = { ...state, ...(await path.generate_code_retry(state, config)) }
  return { ...state, ...(await path.validate_code(state, config)) }
}
