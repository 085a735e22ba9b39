import { maxErrorBytes } from '../../apis/shared/provider-error.ts'
import type { BodyReader } from '../body-reader.ts'
import type { CancelScope } from '../cancel-scope.ts'
import { readRetryAfter } from '../failures/failure-of.ts'
import { connectionFailure, httpFailure, redirectFailure } from '../failures/provider-failures.ts'

/** One request to a provider. */
interface PostedRequest {
  readonly url: string
  readonly headers: Headers
  readonly content: string
  readonly send: typeof globalThis.fetch
  readonly scope: CancelScope
}

/** Sends a request; gives the response as soon as its headers have come. */
export async function post({ url, headers, content, send, scope }: PostedRequest): Promise<Response> {
  const init: RequestInit = { method: 'POST', headers, body: content, redirect: 'manual', signal: scope.signal }
  try {
    await scope.hold(Promise.resolve())
    const response = send(url, init)
    // A `fetch` that ignores its signal may still answer after the caller is gone.
    response.then((late) => (scope.signal.aborted ? late.body?.cancel() : undefined)).catch(() => {})
    return await scope.hold(response)
  } catch (thrown) {
    throw connectionFailure(thrown, { hasAnswered: false })
  }
}

/** Throws what a redirect or an error status says. */
export async function throwUnlessOk(response: Response, reader: BodyReader, today: () => number): Promise<void> {
  const { type, status, ok, headers } = response
  if (type === 'opaqueredirect' || (status >= 300 && status < 400)) throw redirectFailure(status)
  if (ok) return
  const retryAfterMs = readRetryAfter(headers, today)
  throw httpFailure(status, await reader.excerpt(maxErrorBytes), retryAfterMs === undefined ? {} : { retryAfterMs })
}
