import { RunnerFailure } from '../../../engine/runner-failure.ts'

/** Rejects a field without an equivalent, whose loss would change the meaning of a request. */
export function refuseField(param: string, why: string): never {
  const message = `${param} ${why}`
  const error = { type: 'invalid_request_error', code: 'unsupported_parameter', param, message }
  throw new RunnerFailure('http', message, { status: 400, body: JSON.stringify({ error }) })
}
