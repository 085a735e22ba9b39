import { type FailureKind, RunnerFailure, type StopSignal } from '@stickler/core'
import { errorMessage, type FailureDetails } from '@stickler/core/runners'
import { excerpt } from '@stickler/core/wire'
import { parseJson } from './json.ts'

/** The failure of a call whose caller gave up. */
export function abortedFailure(signal: StopSignal): RunnerFailure {
  return new RunnerFailure('aborted', 'the call was aborted', { cause: signal.reason })
}

/** A failure of the connection, or of what lies below HTTP's body; `declared` tells whether the length of a body was known. */
export function connectionFailure(thrown: unknown, hasAnswered: boolean, declared: boolean): RunnerFailure {
  if (thrown instanceof RunnerFailure) return thrown
  const code = codeOf(thrown)
  if (declared && code === 'UND_ERR_SOCKET') return new RunnerFailure('protocol', 'the response is shorter than its header says')
  const what = hasAnswered ? 'the connection broke' : 'the provider could not be reached'
  const isNoHttp = thrown instanceof Error && thrown.name === 'HTTPParserError'
  // The message of a parser error may repeat what the provider sent; its code says enough.
  const reason = code === '' && thrown instanceof Error ? excerpt(thrown.message) : code
  return new RunnerFailure(isNoHttp ? 'protocol' : kindOf(code), isNoHttp ? 'the provider does not speak HTTP' : `${what}: ${reason}`, {
    cause: thrown,
  })
}

function codeOf(thrown: unknown): string {
  let code = ''
  let error = thrown
  for (let depth = 0; depth < 8 && error instanceof Error; depth++) {
    if ('code' in error && typeof error.code === 'string') code = error.code
    error = error instanceof AggregateError ? error.errors[0] : error.cause
  }
  return code
}

function kindOf(code: string): FailureKind {
  // No valid HTTP, or a body that is not as long or not encoded as its header says.
  return /^(?:HPE_|Z_|ERR_BROTLI|ERR__ERROR|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES)/.test(code) ? 'protocol' : 'connection'
}

/** The failure for an error status. */
export function httpFailure(
  status: number,
  body: string,
  { retryAfterMs, headers }: Pick<FailureDetails, 'retryAfterMs' | 'headers'> = {},
): RunnerFailure {
  const said = errorMessage(parseJson(body)) ?? body
  return new RunnerFailure('http', `the provider answered with status ${status}${said === '' ? '' : `: ${excerpt(said)}`}`, {
    status,
    body,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(headers === undefined ? {} : { headers }),
  })
}

/** The failure for a redirect, which is never followed: the key is for one address only. */
export function redirectFailure(status: number): RunnerFailure {
  return new RunnerFailure('http', `the provider redirects to another address (status ${status}), which is not followed`, { status })
}
