import type { ProviderError } from './client-error.ts'

/** What else an error tells. */
export interface HttpErrorDetails {
  readonly type?: string
  readonly param?: string
  readonly code?: string
  /** Further headers, such as `retry-after`. */
  readonly headers?: Readonly<Record<string, string>>
  /** Further members of the body beside `error`, such as `validation`. */
  readonly body?: Readonly<Record<string, unknown>>
  /** Set when it is the error of a provider. */
  readonly provider?: ProviderError
}

/** An answer that is an error, safe to be shown to the client. */
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
