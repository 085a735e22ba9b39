import { isFields } from '../../answer/tool-shapes/fields.ts'
import type { RuleRequest } from '../../contract/rules/rule-port.ts'
import { RunnerFailure } from '../../engine/runner-failure.ts'
import { hasDuplicateKeys } from '../../json/duplicate-keys.ts'
import { RuleRefused } from './rule-call.ts'

/** The request as JSON on one line; what cannot be written is not the rule's fault. */
export function writeRequest(id: string, request: RuleRequest): string {
  try {
    // Some readers of lines, Node's own among them, end a line here too.
    return JSON.stringify({ id, ...request }).replace(
      /[\u2028\u2029\u0085]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
  } catch {
    throw new RuleRefused('the context of the answer cannot be written as JSON')
  }
}

/** The value of a reply that came on a connection of its own; it must be for the request with this id where it names one. */
export function readValue(text: string, id: string): unknown {
  const value = parse(text)
  // Other readers, and the author of the rule, may mean the other one.
  if (hasDuplicateKeys(text)) throw new RunnerFailure('protocol', 'its reply has a duplicate key')
  const given = isFields(value) ? (value.id ?? undefined) : undefined
  if (given !== undefined && given !== id) throw new RunnerFailure('protocol', 'its reply has the id of another request')
  return value
}

/** The value of a line, which must name the request: a line too many would else be taken for the verdict on the next answer. */
export function readLine(line: string, id: string): unknown {
  const value = readValue(line, id)
  if (!isFields(value) || value.id !== id) throw new RunnerFailure('protocol', 'its reply has no id')
  return value
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new RunnerFailure('protocol', 'its reply is not JSON')
  }
}
