import { errorIn, errorMessage, excerpt } from '../../apis/shared/provider-error.ts'
import { because } from '../../contract/reason.ts'
import { type FailureDetails, RunnerFailure } from '../../engine/runner-failure.ts'
import type { StopSignal } from '../../engine/stop.ts'
import { causesOf, codeOf, fieldOf, kindOfConnection } from './network-code.ts'

/** The failure of a call whose caller gave up. */
export function abortedFailure(signal: Pick<StopSignal, 'reason'>): RunnerFailure {
  return new RunnerFailure('aborted', 'the call was aborted', { cause: signal.reason })
}

/** A failure of the connection, or of what lies below HTTP's body; `hasAnswered` tells whether the head of a response had come. */
export function connectionFailure(thrown: unknown, { hasAnswered }: { readonly hasAnswered: boolean }): RunnerFailure {
  if (thrown instanceof RunnerFailure) return thrown
  const code = codeOf(thrown)
  const kind = kindOfConnection(thrown)
  // The message of a parser error may repeat what the provider sent.
  if (kind === 'protocol' && !hasAnswered) return new RunnerFailure(kind, 'the provider does not speak HTTP', { cause: thrown })
  const what = hasAnswered ? 'the connection broke' : 'the provider could not be reached'
  // A code says enough; a message may hold addresses of an inner network.
  return new RunnerFailure(kind, `${what}: ${code === '' ? excerpt(innermostMessage(thrown)) : code}`, {
    cause: thrown,
    ...(hasAnswered && { isMidway: true }),
    ...(code === '' ? {} : { code }),
  })
}

/** What the innermost cause says. */
export function innermostMessage(thrown: unknown): string {
  let said = ''
  for (const cause of causesOf(thrown)) {
    const message = fieldOf(cause, 'message')
    if (typeof message === 'string' && message !== '') said = message
  }
  return said === '' && typeof thrown !== 'object' ? String(thrown) : said
}

/** The failure for an error status. */
export function httpFailure(
  status: number,
  body: string,
  { retryAfterMs, headers }: Pick<FailureDetails, 'retryAfterMs' | 'headers'> = {},
): RunnerFailure {
  const said = errorMessage(errorIn(body)) ?? body
  return new RunnerFailure('http', because([['status', status]], excerpt(said)), {
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
