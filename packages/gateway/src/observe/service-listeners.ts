import type { RunnerFailure } from '@stickler/core'
import { HeldBack, isFields, parseJson } from '@stickler/core/internal'
import type { ParserEvent } from '@stickler/core/internal/services'
import type { BreakerState, RuleListener } from '@stickler/core/validators'
import { circuitLines } from '@stickler/parser/internal'
import type { Logger } from '../front/log.ts'
import { keptStderr } from '../records/run/stored-stderr.ts'
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

/**
 * Makes the listener that logs circuit changes of a rule and failures of its process; output of a
 * program is logged only where texts are stored.
 */
export function ruleListener(log: Logger, keepsText: () => boolean): RuleListener {
  return (event) => {
    if (event.type === 'circuit') {
      const { rule, state, scope } = event
      const line = scope === undefined ? 'circuit breaker' : 'circuit breaker (for one caller)'
      log[state === 'open' ? 'warn' : 'info']({ event: 'rule', validator: rule, status: state }, line)
      return
    }
    const { rule, reason, stderr } = event
    const kept = keptStderr(event, keepsText())
    log.warn({ event: 'rule', validator: rule, reason, ...(stderr === '' ? {} : { stderr: kept }) }, 'a process of the rule was replaced')
  }
}

/**
 * Makes the listener that logs each failed call of an upstream, with its status and its cause: a code of the network or the provider's name for the
 * error, never its message, which may repeat the request or the answer.
 */
export function upstreamListener(log: Logger): (upstream: string, failure: RunnerFailure) => void {
  return (upstream, failure) => {
    const { kind, details } = failure
    // The caller has left, or the call was never made.
    if (kind === 'aborted' || failure instanceof HeldBack) return
    const reason = reasonOf(failure)
    const known = { ...(details.status === undefined ? {} : { status: details.status }), ...(reason === undefined ? {} : { reason }) }
    log.warn({ event: 'upstream', upstream, kind, ...known }, 'an upstream call failed')
  }
}

function reasonOf({ details: { code = '', body } }: RunnerFailure): string | undefined {
  if (/^[A-Z][A-Z0-9_]{1,63}$/.test(code)) return code
  const said = parseJson(body ?? '')
  const error = isFields(said) ? said.error : undefined
  const names = isFields(error) ? [error.code, error.type, error.status] : []
  // Digits are left out, since a key may have them.
  return names.find((name): name is string => typeof name === 'string' && /^[A-Za-z][A-Za-z_]{1,63}$/.test(name))
}
