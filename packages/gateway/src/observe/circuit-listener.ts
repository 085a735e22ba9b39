import type { ParserEvent } from '@stickler/core/internal/services'
import type { BreakerState } from '@stickler/core/validators'
import { circuitLines } from '@stickler/parser/internal'
import type { Logger } from '../front/log.ts'
import type { MetricsSink } from './metrics/metrics-sink.ts'

/** The dependencies of the parser listener. */
interface CircuitListenerParts {
  readonly metrics: Pick<MetricsSink, 'parser'>
  readonly log: Logger
  /** Called with each new state of the service. */
  changed(state: BreakerState): void
}

/** Makes the listener that counts parser calls, and logs state changes of the circuit. */
export function circuitListener({ metrics, log, changed }: CircuitListenerParts): (event: ParserEvent) => void {
  return (event) => {
    metrics.parser(event)
    if (event.type !== 'circuit') return
    const { state, scope } = event
    if (scope === undefined) changed(state)
    const line = circuitLines[state]
    log[state === 'open' ? 'warn' : 'info']({ event: 'parser', status: state }, scope === undefined ? line : `${line} (for one caller)`)
  }
}
