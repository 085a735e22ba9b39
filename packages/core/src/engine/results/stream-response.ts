import type { Outcome } from '../outcome.ts'
import { bytesOfText, type TextSource } from './bytes-of-text.ts'

/** How a response may be set up beside its body. */
export interface ResponseOptions {
  readonly status?: number
  readonly statusText?: string
  readonly headers?: ConstructorParameters<typeof Headers>[0]
}

/** A response whose body is the text: it begins with the first text, so that a run without one can still say so in its status. */
export async function responseOf(source: TextSource, options: ResponseOptions = {}): Promise<Response> {
  const { done, value } = await source.batches.next()
  if (!done) return new Response(bytesOfText({ ...source, first: value }), withType(options, 'text/plain; charset=utf-8'))
  const outcome = await source.outcome()
  if (outcome.delivered) return new Response('', withType(options, 'text/plain; charset=utf-8'))
  return errorResponse(outcome, options)
}

function withType({ headers: given, ...options }: ResponseOptions, type: string): ResponseOptions & { readonly headers: Headers } {
  const headers = new Headers(given)
  if (!headers.has('content-type')) headers.set('content-type', type)
  return { ...options, headers }
}

/** What is wrong, without anything of what the model said or a provider answered. */
function errorResponse(outcome: Outcome, options: ResponseOptions): Response {
  const [status, error] = describe(outcome)
  const headers = new Headers(options.headers)
  headers.set('content-type', 'application/json')
  const { retryAfterMs } = outcome.failure ?? {}
  if (retryAfterMs !== undefined) headers.set('retry-after', String(Math.ceil(retryAfterMs / 1000)))
  // Clients ask again by themselves otherwise, and each time the model would be.
  if (status !== 429) headers.set('x-should-retry', 'false')
  return new Response(JSON.stringify({ error: { ...error, param: null } }), { status, headers })
}

function describe(outcome: Outcome): [number, { message: string; type: string; code: string }] {
  if (outcome.status === 'failed') {
    const { kind, status } = outcome.failure
    if (status === 429) return [429, { message: 'The model asks for fewer requests.', type: 'rate_limit_error', code: kind }]
    const isLate = kind === 'deadline' || kind === 'timeout'
    const message = isLate ? 'The model did not answer in time.' : 'The model returned no answer.'
    return [isLate ? 504 : 502, { message, type: 'upstream_error', code: kind }]
  }
  if (outcome.status === 'unchecked') {
    return [422, { message: 'The answer could not be checked in full.', type: 'contract_unchecked', code: 'UNCHECKED' }]
  }
  const code = outcome.issues.find(({ severity }) => severity === 'error')?.code ?? 'CONTRACT_VIOLATION'
  return [422, { message: 'The answer did not keep its contract.', type: 'contract_violation', code }]
}
