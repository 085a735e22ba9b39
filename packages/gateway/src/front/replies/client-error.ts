/** An error as clients are told of it. */
export interface ClientError {
  readonly status: number
  readonly message: string
  readonly type: string
  readonly param: string | null
  readonly code: string | null
  /** Further members beside `error`, such as `validation`. */
  readonly body: Readonly<Record<string, unknown>>
  /** What else a provider's own error says, where this is one. */
  readonly provider?: ProviderError
}

/** What makes an error of a provider its own, beside the names that every error has. */
export interface ProviderError {
  /** Set when it is written as Anthropic writes errors. */
  readonly isMessages?: true
  /** The request id in its body. */
  readonly requestId?: string
}

/** Writes the body of an error as an API does; a string is sent as plain text. */
export type ErrorBody = (error: ClientError) => Readonly<Record<string, unknown>> | string

/** The body of an error as OpenAI writes it; all four keys are always there. */
export function openaiErrorBody({ message, type, param, code, body }: ClientError): Readonly<Record<string, unknown>> {
  return { ...body, error: { message, type, param, code } }
}

/** An error as one line of text. */
export function plainErrorBody({ message }: ClientError): string {
  return `${message}\n`
}
