import type { ProviderError } from './client-error.ts'

/** Additional fields of an error. */
interface HttpErrorDetails {
  readonly type?: string
  readonly param?: string
  readonly code?: string
  /** Additional headers, such as `retry-after`. */
  readonly headers?: Readonly<Record<string, string>>
  /** Additional members of the body beside `error`, such as `validation`. */
  readonly body?: Readonly<Record<string, unknown>>
  /** Set when it is a provider's error. */
  readonly provider?: ProviderError
}

/** An error reply, safe to show to the client. */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly status: number
  readonly details: HttpErrorDetails

  constructor(status: number, message: string, details: HttpErrorDetails = {}) {
    super(message)
    this.status = status
    this.details = details
  }
}
