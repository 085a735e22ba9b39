import { RunnerFailure } from '@stickler/core'
import { notify, type Reason } from '@stickler/core/internal'
import type { NodeListener, NodeName, NodeTrace } from '../reply/node-trace.ts'
import type { Needs } from './options.ts'
import type { PipelineState } from './state.ts'

/** What a graph passes in addition to the state. */
export interface NodeConfig {
  readonly signal?: AbortSignal | undefined
  readonly onNode?: NodeListener | undefined
}

/** What a node reports for the trace. */
export type NodeDetail = Omit<NodeTrace, 'node' | 'ms'>

/** That a node was degraded, and why; nothing without a reason. */
export function degradedBy(reason: Reason | undefined): NodeDetail {
  return reason === undefined ? {} : { degraded: reason.message, ...(reason.codes && { codes: reason.codes }) }
}

/** What a node changes in the state, and what it did. */
export interface Step<Change> {
  readonly change: Change
  readonly detail?: NodeDetail
}

/** A node: a function of the state and what it needs, which never changes the state itself. */
export type PureNode<State extends PipelineState, Change, With extends Needs = Needs> = (
  state: State,
  needs: With,
  signal: AbortSignal | undefined,
) => Promise<Step<Change>> | Step<Change>

/** A state after a change; the type of what changed is that of the change. */
type Changed<State, Change> = Omit<State, keyof Change> & Change

/** A change with the trace of the node that made it. */
type Traced<Change> = Change & Pick<PipelineState, 'trace'>

/** Runs one node and traces it; rejects when the request was aborted, before or during it. */
export async function change<State extends PipelineState, Change, With extends Needs>(
  name: NodeName,
  node: PureNode<State, Change, With>,
  state: State,
  needs: With,
  { signal, onNode }: NodeConfig,
): Promise<Traced<Change>> {
  refuseAborted(signal)
  const startedAt = needs.clock.now()
  const { change, detail } = await node(state, needs, signal)
  refuseAborted(signal)
  const trace: NodeTrace = { node: name, ms: needs.clock.now() - startedAt, ...detail }
  for (const listener of [needs.onNode, onNode]) notify(listener, trace)
  return { ...change, trace: [...state.trace, trace] }
}

/** Runs one node on a state. */
export async function step<State extends PipelineState, Change, With extends Needs>(
  name: NodeName,
  node: PureNode<State, Change, With>,
  state: State,
  needs: With,
  config: NodeConfig,
): Promise<Changed<State, Traced<Change>>> {
  return { ...state, ...(await change(name, node, state, needs, config)) }
}

/** Throws for an aborted request. */
export function refuseAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new RunnerFailure('aborted', 'the run was aborted', { cause: signal.reason })
}
