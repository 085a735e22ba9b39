import type { Fact } from './issue.ts'
import { type Reason, ReasonedError } from './reason.ts'

/** Why there is no verdict: the service failed (timeout, connection, status), or was not called because it failed too often; the code is too large; parsing did not finish; the language is unknown; the request was rejected; the caller gave up; the service is disabled. */
export type NoVerdict = 'fault' | 'open' | 'too-large' | 'too-hard' | 'unsupported' | 'refused' | 'aborted' | 'disabled'

/** The kinds of faults. */
export const faultKinds = ['missing', 'exit', 'timeout', 'connection', 'http', 'protocol'] as const

/** What went wrong with a service or program: its program could not be started, or ended; it was too slow, could not be reached, responded with an error, or sent no verdict. */
export type FaultKind = (typeof faultKinds)[number]

/** What is known of a missing verdict besides its reason. */
export interface NoVerdictDetails extends ErrorOptions {
  readonly circuit?: CircuitState | undefined
  readonly fault?: FaultKind | undefined
  /** What the check still learnt of the answer. */
  readonly facts?: readonly Fact[] | undefined
}

/** State of the circuit to something outside of the process; `disabled` never changes. */
export type CircuitState = 'closed' | 'open' | 'half-open' | 'disabled'

/** Thrown by a validator that cannot run because something it needs is not there: no verdict either way. */
export class ValidatorUnavailable extends ReasonedError {
  override readonly name = 'ValidatorUnavailable'
  /** Why, where that is known. */
  readonly reason: NoVerdict | undefined
  /** The circuit as the call found it, where there is one: a call that failed while it was half-open was the probe. */
  readonly circuit: CircuitState | undefined

  /** What went wrong, where the reason is a fault and that is known. */
  readonly fault: FaultKind | undefined
  readonly facts: readonly Fact[] | undefined

  constructor(message: string | Reason, reason?: NoVerdict, details?: NoVerdictDetails) {
    super(message, details)
    this.reason = reason
    this.circuit = details?.circuit
    this.fault = details?.fault
    this.facts = details?.facts
  }
}

/** Why a check ends that takes longer than its contract allows: a service that it waits for may be to blame. */
export class TimeLimit extends Error {
  /** How long it was allowed to take. */
  readonly ms: number

  constructor(ms: number) {
    super(`took longer than ${ms} ms`)
    this.ms = ms
  }
}
