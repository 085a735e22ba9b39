import type { BreakerState } from '@stickler/core/services'
import type { ParserEvent } from '@stickler/core/syntax'
import { circuitLines } from '@stickler/parser'
import type { Logger } from '../front/log.ts'
import type { MetricsSink } from './metrics/metrics-sink.ts'

/** What hears of the parser. */
export interface CircuitListenerParts {
  readonly metrics: Pick<MetricsSink, 'parser'>
  readonly log: Logger
  /** Told of each new state of the circuit. */
  changed(state: BreakerState): void
}

/** Makes what counts calls of the parser, and logs when the circuit to it changes. */
export function circuitListener({ metrics, log, changed }: CircuitListenerParts): (event: ParserEvent) => void {
  return (event) => {
    metrics.parser(event)
    if (event.type !== 'circuit') return
    changed(event.state)
    log[event.state === 'open' ? 'warn' : 'info']({ event: 'parser', status: event.state }, circuitLines[event.state])
  }
}
