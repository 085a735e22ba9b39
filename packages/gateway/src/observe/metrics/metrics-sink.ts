import type { ParserEvent } from '@stickler/core/internal/services'
import type { RequestCount } from '../../front/request-count.ts'
import type { RunRecord, ShadowVerdict } from '../../records/run/run-record.ts'

/** Counts events; cheap, and never throws. */
export interface MetricsSink {
  /** Counts a request; once for each, at its end. */
  request(request: RequestCount): void
  /** Counts an enforced answer with its attempts, and an upstream call without one. */
  run(record: RunRecord): void
  /** Counts the verdict of a shadow contract. */
  shadow(verdict: ShadowVerdict, record: Pick<RunRecord, 'contract'>): void
  /** Counts an answer that its shadow contract did not judge. */
  shadowDropped(contract: string): void
  /** Counts a call of the parser, or a change of its circuit. */
  parser(event: ParserEvent): void
  /** Reports how many requests are in progress. */
  inFlight(count: number): void
}
