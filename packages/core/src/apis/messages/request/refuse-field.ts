import { RunnerFailure } from '../../../engine/runner-failure.ts'

/** Refuses a field that has no equivalent, and without which a request would mean something else. */
export function refuseField(param: string, why: string): never {
  const message = `${param} ${why}`
  const error = { type: 'invalid_request_error', code: 'unsupported_parameter', param, message }
  throw new RunnerFailure('http', message, { status: 400, body: JSON.stringify({ error }) })
}
