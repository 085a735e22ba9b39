/** Why there is no verdict: the service failed (timeout, connection, status), was not called because it failed too often, the code is too large, parsing did not finish, the language is unknown, the request was rejected, the caller gave up, or the service is disabled. */
export type NoVerdict = 'fault' | 'open' | 'too-large' | 'too-hard' | 'unsupported' | 'refused' | 'aborted' | 'disabled'

/** State of the circuit to something outside of the process; `disabled` never changes. */
export type CircuitState = 'closed' | 'open' | 'half-open' | 'disabled'

/** Thrown by a validator that cannot run because something it needs is not there: no verdict either way. */
export class ValidatorUnavailable extends Error {
  override readonly name = 'ValidatorUnavailable'
  /** Why, where that is known. */
  readonly reason: NoVerdict | undefined
  /** The circuit as the call found it, where there is one: a call that failed while it was half-open was the probe. */
  readonly circuit: CircuitState | undefined

  constructor(message: string, reason?: NoVerdict, options?: ErrorOptions & { readonly circuit?: CircuitState | undefined }) {
    super(message, options)
    this.reason = reason
    this.circuit = options?.circuit
  }
}
