/** An error as reported to clients. */
export interface ClientError {
  readonly status: number
  readonly message: string
  readonly type: string
  readonly param: string | null
  readonly code: string | null
  /** Additional members beside `error`, such as `validation`. */
  readonly body: Readonly<Record<string, unknown>>
  /** Additional fields of a provider's own error. */
  readonly provider?: ProviderError
}

/** Details of a provider's own error, besides the common fields. */
export interface ProviderError {
  /** Set when it is in Anthropic's format. */
  readonly isMessages?: true
  /** The request id in its body. */
  readonly requestId?: string
}

/** The body of an error in OpenAI's format; all four keys are always present. */
export function openaiErrorBody({ message, type, param, code, body }: ClientError): Readonly<Record<string, unknown>> {
  return { ...body, error: { message, type, param, code } }
}
