import type { Locale, Outcome } from '@stickler/core'
import { HttpError } from '@stickler/core/internal/apis'
import { isRefusal } from '../../front/replies/errors.ts'
import { upstreamWords } from '../../front/replies/provider-error-names.ts'
import { type TroubleWords, troubleWords } from './reply-messages.ts'

type Failure = NonNullable<Outcome['failure']>

/**
 * What ended a request other than a verdict, in the contract's language; the error itself is in
 * English.
 */
export function troubleText({ message, details }: HttpError, failure: Failure | undefined, locale: Locale): string {
  if (locale === 'en') return message
  const say = troubleWords[locale]
  const { code } = details
  if (code === 'shutting_down' || code === 'store_full') return say[code]
  if (failure === undefined) return say.other
  if (failure.code === 'circuit_open') return say.circuit_open
  return failure.kind === 'http' ? statusText(failure, say) : say[failure.kind]
}

function statusText({ status, body = '' }: Failure, say: TroubleWords): string {
  if (status === undefined) return say.protocol
  if (status === 429) return say.rate_limit
  if (status === 408) return say.timeout
  if (status === 401 || status === 403) return say.auth
  return isRefusal(status) ? say.refused(status, upstreamWords(body)) : say.answered(status)
}

/** A gateway error that can be reported in the contract's language; any other stays as it is. */
export function inLocale(error: unknown, locale: Locale): unknown {
  if (locale === 'en' || !(error instanceof HttpError)) return error
  const { code } = error.details
  if (code !== 'shutting_down' && code !== 'store_full') return error
  return new HttpError(error.status, troubleText(error, undefined, locale), error.details)
}
