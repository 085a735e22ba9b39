import type { ParserEvent } from '@stickler/core/syntax'
import type { RunRecord } from '../records/run/run-record.ts'

/** How a request ended for the client: with an answer, without one that keeps its contract, or with an error. */
export type RequestOutcome = 'ok' | 'invalid' | 'error'

/** One request that has been answered, or left by its client. */
export interface RequestCount {
  readonly api: string
  /** The HTTP status; 499 when the client left. */
  readonly status: number
  readonly contract?: string
  /** By the status when absent; a stream may fail after its 200. */
  readonly outcome?: RequestOutcome
}

/** Takes what is to be counted; cheap, and never throws. */
export interface MetricsSink {
  /** Counts a request; once for each, when it is over. */
  request(request: RequestCount): void
  /** Counts an enforced answer with its attempts. */
  run(record: RunRecord): void
  /** Counts a call of an upstream that brought no answer. */
  upstreamFailure(upstream: string, kind: string): void
  /** Counts a call of the parser, or a change of its circuit. */
  parser(event: ParserEvent): void
  /** Tells how many requests are being worked on. */
  inFlight(count: number): void
}
