import type { ClientError } from '@stickler/core/internal/apis'

/** Writes the body of an error in an API's format; a string is sent as plain text. */
export type ErrorBody = (error: ClientError) => Readonly<Record<string, unknown>> | string

/** An error as one line of text. */
export function plainErrorBody({ message }: ClientError): string {
  return `${message}\n`
}
