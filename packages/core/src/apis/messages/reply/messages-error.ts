import type { Fields } from '../../../answer/tool-shapes/fields.ts'
import type { ClientError } from '../../shared/client-error.ts'
import { given, without } from '../../shared/selected-fields.ts'
import { isVerdict } from '../../shared/verdict-names.ts'

const own = new Set(['type', 'error'])

const types = new Map([
  [400, 'invalid_request_error'],
  [401, 'authentication_error'],
  [402, 'billing_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [413, 'request_too_large'],
  [429, 'rate_limit_error'],
  [503, 'overloaded_error'],
  [504, 'timeout_error'],
  [529, 'overloaded_error'],
])

/** The body of an error in Anthropic's format. */
export function messagesErrorBody(error: ClientError): Fields {
  const { message, param, code, body, provider } = error
  const id = given({ request_id: provider?.requestId })
  return { type: 'error', error: { type: typeOf(error), message, ...given({ param, code }) }, ...id, ...without(body, own) }
}

function typeOf({ status, type, provider }: ClientError): string {
  if (provider?.isMessages) return type
  // A violated or unchecked contract keeps its usual error name.
  if (isVerdict(type)) return type
  return types.get(status) ?? (status >= 500 ? 'api_error' : 'invalid_request_error')
}
