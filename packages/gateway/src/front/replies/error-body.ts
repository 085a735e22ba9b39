import { messagesErrorBody } from '../../apis/messages/messages-error.ts'
import type { ClientError } from '../../apis/shared/protocol.ts'
import type { Route } from '../exchange.ts'

/** The shapes in which errors are written. */
export type ErrorShape = NonNullable<Route['errors']>

/** The body of an error in the shape of a route; a string where the shape is plain text. */
export function errorBody(shape: ErrorShape, error: ClientError): Readonly<Record<string, unknown>> | string {
  const { message, type, param, code, body } = error
  switch (shape) {
    case 'openai':
      return { error: { message, type, param, code }, ...body }
    case 'anthropic':
      return messagesErrorBody(error)
    case 'ask':
      return { ok: false, error: message, ...body }
    case 'plain':
      return `${message}\n`
  }
}
