import type { ParserEvent } from '@stickler/core/syntax'
import type { RequestCount } from '../../front/request-count.ts'
import type { RunRecord } from '../../records/run/run-record.ts'

/** Takes what is to be counted; cheap, and never throws. */
export interface MetricsSink {
  /** Counts a request; once for each, when it is over. */
  request(request: RequestCount): void
  /** Counts an enforced answer with its attempts, and a call of an upstream that brought none. */
  run(record: RunRecord): void
  /** Counts a call of the parser, or a change of its circuit. */
  parser(event: ParserEvent): void
  /** Tells how many requests are being worked on. */
  inFlight(count: number): void
}
