/** An error as clients are told of it. */
export interface ClientError {
  readonly status: number
  readonly message: string
  readonly type: string
  readonly param: string | null
  readonly code: string | null
  /** Further members beside `error`, such as `validation`. */
  readonly body: Readonly<Record<string, unknown>>
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
