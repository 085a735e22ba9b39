import type { RunnerFailure } from '@stickler/core'
import {
  errorIn,
  type FailureDetails,
  type Fields,
  HeldBack,
  harmlessWords,
  isFields,
  refusalWords,
  upstreamWords,
} from '@stickler/core/internal'
import { sentParameters } from '@stickler/core/internal/apis'
import type { ParserEvent } from '@stickler/core/internal/services'
import type { BreakerState, RuleListener } from '@stickler/core/validators'
import { circuitLines } from '@stickler/presets/internal'
import type { Logger } from '../front/log.ts'
import { keptStderr } from '../records/run/stored-stderr.ts'
import type { MetricsSink } from './metrics/metrics-sink.ts'

/** The dependencies of the parser listener. */
interface CircuitListenerParts {
  readonly metrics: Pick<MetricsSink, 'parser'>
  readonly log: Logger
  /** Called with each new state of the service. */
  changed(state: BreakerState, service?: string): void
}

/** Makes the listener that counts parser calls, and logs state changes of the circuit. */
export function circuitListener({ metrics, log, changed }: CircuitListenerParts): (event: ParserEvent, service?: string) => void {
  return (event, service) => {
    metrics.parser(event)
    if (event.type !== 'circuit') return
    const { state, scope } = event
    if (scope === undefined) changed(state, service)
    const line = circuitLines[state]
    log[state === 'open' ? 'warn' : 'info'](
      { event: 'parser', status: state, ...(service !== undefined && { service }) },
      scope === undefined ? line : `${line} (for one caller)`,
    )
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
 * error. What it says of a request that it rejects may repeat that request: where no texts are stored, its message is logged only if its `param` or its first word is a parameter that we add.
 */
export function upstreamListener(log: Logger, keepsText: () => boolean): (upstream: string, failure: RunnerFailure) => void {
  return (upstream, failure) => {
    const { kind, details } = failure
    // The caller has left, or the call was never made.
    if (kind === 'aborted' || failure instanceof HeldBack) return
    const reason = reasonOf(failure)
    const said = kind === 'http' ? saidIn(details, keepsText()) : ''
    const known = {
      ...(details.status === undefined ? {} : { status: details.status }),
      ...(reason === undefined ? {} : { reason }),
      ...(said === '' ? {} : { said }),
    }
    log.warn({ event: 'upstream', upstream, kind, ...known }, 'an upstream call failed')
  }
}

function saidIn(details: FailureDetails, keepsText: boolean): string {
  const { body = '' } = details
  if (keepsText) return upstreamWords(body) || harmlessWords(body)
  const words = refusalWords(details)
  const param = errorNames(body).param
  const name = typeof param === 'string' ? param : /^[`'"]?([\w.]+)/.exec(words)?.[1]
  return name !== undefined && sentParameters.has(name) ? words : ''
}

/** The names of an error, where the body says that it is one or the status does. */
function errorNames(body: string, isError = true): Fields {
  const said = errorIn(body)
  if (!isFields(said)) return {}
  return isFields(said.error) ? said.error : isError ? said : {}
}

function reasonOf({ kind, details: { code = '', body = '' } }: RunnerFailure): string | undefined {
  if (/^[A-Z][A-Z0-9_]{1,63}$/.test(code)) return code
  // Without an error status, only what says that it is one is an error.
  const error = errorNames(body, kind === 'http')
  const names = [error.code, error.type, error.status]
  // Digits are left out, since a key may have them.
  return names.find((name): name is string => typeof name === 'string' && /^[A-Za-z][A-Za-z_]{1,63}$/.test(name))
}
