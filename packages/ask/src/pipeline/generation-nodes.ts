import type { Contract, TraceListener } from '@stickler/core'
import type { Reason } from '@stickler/core/internal'
import type { NodeListener, NodeName } from '../reply/node-trace.ts'
import type { QueryType } from '../reply/query-type.ts'
import { verdictOf } from './generation.ts'
import type { CodeVerdict } from './state.ts'
import { degradedBy } from './step.ts'

const others = { RETRIEVAL: 'generate', CONVERSATIONAL: 'respond_conversational', PLATFORM: 'respond_platform' } as const

/** Converts the engine's run of a prepared request into nodes of the graph, so that a host that generates through the engine has the same trace as one that runs the nodes. */
export function generationNodes(
  { type, contract }: { readonly type: QueryType; readonly contract: Contract },
  onNode: NodeListener,
): TraceListener {
  return type === 'CODE_GENERATION' ? codeNodes(contract, onNode) : oneNode(others[type], onNode)
}

function oneNode(node: NodeName, onNode: NodeListener): TraceListener {
  return (event) => {
    if (event.type === 'run-ended' && event.status !== 'failed') onNode({ node, ms: event.ms, attempts: event.attempts })
  }
}

function codeNodes(contract: Contract, onNode: NodeListener): TraceListener {
  let startedAt = 0
  let verdict: CodeVerdict = ''
  let isOpen = false
  const generated = (attempt: number, at: number, degraded?: Reason): void => {
    const node = attempt === 1 ? 'generate_code' : 'generate_code_retry'
    isOpen = true
    onNode({ node, ms: at - startedAt, ...degradedBy(degraded) })
  }
  const validated = (ms: number): void => {
    isOpen = false
    if (verdict !== '') onNode({ node: 'validate_code', ms, verdict })
  }
  return (event) => {
    if (event.type === 'attempt-started') startedAt = event.at
    if (event.type === 'attempt-received' || event.type === 'attempt-stopped') generated(event.attempt, event.at)
    // Without a second answer, the first one stays.
    if (event.type === 'runner-failed' && event.attempt > 1 && event.failure.kind !== 'aborted' && !isOpen)
      generated(event.attempt, event.at, event.failure)
    if (event.type === 'checked') {
      verdict = verdictOf(contract, event)
      validated(event.ms)
    }
    if (event.type === 'run-ended' && isOpen && event.status !== 'failed') validated(0)
  }
}
