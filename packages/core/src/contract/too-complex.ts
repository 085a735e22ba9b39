import type { Locale } from './locale.ts'

/**
 * Thrown by a validator whose answer goes beyond a limit of what is read or worked out.
 * That is the model's doing, so it is an error of the answer: `TOO_COMPLEX`. A fault of the checker is a ValidatorUnavailable.
 */
export class TooComplex extends Error {
  override readonly name = 'TooComplex'
  /** What is too much, with the limit: a sentence without its end, by language. */
  readonly reason: Readonly<Record<Locale, string>>

  constructor(reason: string | Readonly<Record<Locale, string>>) {
    super(typeof reason === 'string' ? reason : reason.en)
    this.reason = typeof reason === 'string' ? { en: reason, de: reason } : reason
  }
}
