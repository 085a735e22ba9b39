import { RunnerFailure } from '../../engine/runner-failure.ts'
import { parseJson } from '../json.ts'
import { errorMessage } from '../provider-error.ts'
import { secretRoom } from '../secrets.ts'

/** A failure of the connection, or of what lies below HTTP's body. */
export function connectionFailure(what: string, thrown: unknown): RunnerFailure {
  if (thrown instanceof RunnerFailure) return thrown
  let deepest = thrown
  let code = ''
  for (let depth = 0; depth < 8 && deepest instanceof Error; depth++) {
    if ('code' in deepest && typeof deepest.code === 'string') code = deepest.code
    if (!(deepest.cause instanceof Error)) break
    deepest = deepest.cause
  }
  const reason = (deepest instanceof Error ? deepest.message : String(deepest)) || code
  // Newer versions of Node leave out the code of what is not HTTP at all.
  const isNoHttp = deepest instanceof Error && deepest.name === 'HTTPParserError'
  return new RunnerFailure(isNoHttp ? 'protocol' : kindOf(code), `${what}: ${excerpt(reason)}`)
}

function kindOf(code: string): 'timeout' | 'protocol' | 'connection' {
  if (/TIMEOUT|TIMEDOUT/.test(code)) return 'timeout'
  // No valid HTTP, or a body that is not encoded as its header says.
  return /^(?:HPE_|Z_|ERR_BROTLI|ERR__ERROR|ERR_ZSTD|ZSTD_|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RESPONSE)/.test(code)
    ? 'protocol'
    : 'connection'
}

/** The failure for an answer that makes no sense, with the beginning of what came instead. */
export function protocolFailure(what: string, body: string): RunnerFailure {
  const shown = excerpt(body)
  return new RunnerFailure('protocol', shown === '' ? `${what} (it is empty)` : `${what}: ${shown}`, {
    body: body.slice(0, 2 * secretRoom),
  })
}

/** The failure for an error status. */
export function httpFailure(status: number, body: string, retryAfterMs?: number): RunnerFailure {
  const said = errorMessage(parseJson(body)) ?? body
  return new RunnerFailure('http', `the provider answered with status ${status}${said === '' ? '' : `: ${excerpt(said)}`}`, {
    status,
    body,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  })
}

/** The failure for a redirect, which is never followed: the key is for one address only. */
export function redirectFailure(status: number): RunnerFailure {
  return new RunnerFailure('http', `the provider redirects to another address (status ${status}), which is not followed`, { status })
}

/** Longer than what is told in the end: secrets are masked before the cut. */
function excerpt(text: string): string {
  return text.slice(0, secretRoom).trim()
}
