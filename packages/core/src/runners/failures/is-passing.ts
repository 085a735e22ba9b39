import { RunnerFailure } from '../../engine/runner-failure.ts'

/** Thrown when a call was held back on this side: nothing was sent, and it says nothing about the provider. */
export class HeldBack extends RunnerFailure {}

/** Whether a status says that the same request may succeed a little later. */
function isPassingStatus(status: number): boolean {
  return status === 408 || status === 429 || (status >= 500 && status <= 599)
}

/** Whether the same call may succeed a little later. */
export function isPassing(failure: RunnerFailure): boolean {
  // It has waited already, or waiting would not help.
  if (failure instanceof HeldBack) return false
  const { kind, details } = failure
  return kind === 'http' ? isPassingStatus(details.status ?? 0) : kind === 'connection' || kind === 'timeout'
}

/** Whether the provider is to blame, and not the caller or the answer: unreachable, silent, or an error of the server. */
export function isUpstreamFault({ kind, details: { status = 0 } }: RunnerFailure): boolean {
  return kind === 'connection' || kind === 'timeout' || (kind === 'http' && status >= 500)
}

/** Whether a call ended before a model could have worked on it, so that it costs nothing. */
export function isTurnedAway(thrown: unknown): boolean {
  return thrown instanceof RunnerFailure && (thrown.kind === 'http' || thrown.kind === 'connection')
}
