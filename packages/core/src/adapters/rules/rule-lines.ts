import { isFields } from '../../answer/tool-shapes/fields.ts'
import type { RuleRequest } from '../../contract/rules/rule-port.ts'
import { RuleRefused } from './rule-call.ts'

/** The request as JSON on one line; what cannot be written is not the rule's fault. */
export function writeRequest(id: string, request: RuleRequest): string {
  try {
    return JSON.stringify({ id, ...request })
  } catch {
    throw new RuleRefused('what was given with the answer cannot be written as JSON')
  }
}

/** The value of a reply, which must be for the request with this id where it names one. */
export function readValue(text: string, id: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Error('its reply is not JSON')
  }
  const given = isFields(value) ? (value.id ?? undefined) : undefined
  if (given !== undefined && given !== id) throw new Error('its reply has the id of another request')
  return value
}
