import type { RunnerFailure } from '@stickler/core'
import { HeldBack, isFields, parseJson } from '@stickler/core/internal'
import type { Logger } from '../front/log.ts'

/**
 * Makes the listener that logs each failed call of an upstream, with its status and its cause: a code of the network or the provider's name for the
 * error, never its message, which may repeat the request or the answer.
 */
export function upstreamListener(log: Logger): (upstream: string, failure: RunnerFailure) => void {
  return (upstream, failure) => {
    const { kind, details } = failure
    // The caller has left, or the call was never made.
    if (kind === 'aborted' || failure instanceof HeldBack) return
    const reason = reasonOf(failure)
    const known = { ...(details.status === undefined ? {} : { status: details.status }), ...(reason === undefined ? {} : { reason }) }
    log.warn({ event: 'upstream', upstream, kind, ...known }, 'an upstream call failed')
  }
}

function reasonOf({ details: { code = '', body } }: RunnerFailure): string | undefined {
  if (/^[A-Z][A-Z0-9_]{1,63}$/.test(code)) return code
  const said = parseJson(body ?? '')
  const error = isFields(said) ? said.error : undefined
  const names = isFields(error) ? [error.code, error.type, error.status] : []
  // Digits are left out, since a key may have them.
  return names.find((name): name is string => typeof name === 'string' && /^[A-Za-z][A-Za-z_]{1,63}$/.test(name))
}
