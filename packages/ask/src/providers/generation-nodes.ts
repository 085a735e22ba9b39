import { errorsOf, type TraceEvent } from '@stickler/core'
import type { NodeName, NodeTrace } from '../pipeline/node-trace.ts'
import type { QueryType } from '../pipeline/query-type.ts'

/** The node that generates the first attempt of each type. */
const generators: Readonly<Record<QueryType, NodeName>> = {
  RETRIEVAL: 'generate',
  CODE_GENERATION: 'generate_code',
  CONVERSATIONAL: 'respond_conversational',
  PLATFORM: 'respond_platform',
}

/** Tells the nodes of the graph that a run of the engine went through, by listening to it. */
export class GenerationNodes {
  readonly nodes: NodeTrace[] = []
  readonly #type: QueryType
  #startedAt = 0
  #receivedAt = 0

  constructor(type: QueryType) {
    this.#type = type
  }

  /** Takes one event of the run. */
  readonly listen = (event: TraceEvent): void => {
    switch (event.type) {
      case 'attempt-started':
        this.#startedAt = event.at
        break
      case 'attempt-received':
      case 'attempt-stopped':
      case 'runner-failed':
        this.#receivedAt = event.at
        this.#generated(event.attempt, event.at - this.#startedAt)
        break
      case 'checked':
        // A repaired text is checked again, and code is not repaired.
        if (this.#type === 'CODE_GENERATION')
          this.nodes.push({ node: 'validate_code', ms: event.at - this.#receivedAt, verdict: verdictOf(event) })
        break
    }
  }

  #generated(attempt: number, ms: number): void {
    if (this.#type === 'CODE_GENERATION') {
      this.nodes.push({ node: attempt > 1 ? 'generate_code_retry' : 'generate_code', ms })
      return
    }
    // Other types have one node for all attempts.
    const before = this.nodes.pop()
    this.nodes.push({ node: generators[this.#type], ms: (before?.ms ?? 0) + ms })
  }
}

function verdictOf(report: Extract<TraceEvent, { type: 'checked' }>): NonNullable<NodeTrace['verdict']> {
  if (errorsOf(report).length > 0) return 'INVALID'
  return report.unchecked.length > 0 ? 'UNAVAILABLE' : 'VALID'
}
