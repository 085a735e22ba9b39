import * as z from 'zod'
import { Answer } from '../../answer/answer.ts'
import { argumentsText } from '../../answer/tool-shapes/fields.ts'
import type { Issue } from '../../contract/issue.ts'
import type { Locale } from '../../contract/locale.ts'
import type { PreparedValidator } from '../../contract/validator.ts'
import { toolCalls } from './index.ts'

export { type Suggestion, type SuggestionRules, suggestTool } from '../shared/suggest-tool.ts'

/**
 * What is wrong with one call of a tool, at once and without a contract.
 *
 * `tools` are those that were offered, as in `context.tools`; `options` those of `tool_calls`, `locale` the language of the messages. Throws where
 * the call cannot be checked: no answer would look like no issues.
 */
export function validateToolCall(
  name: string,
  given: unknown,
  tools: unknown,
  options: Parameters<typeof toolCalls>[0] = {},
  locale: Locale = 'en',
): Issue[] {
  const { name: validator, codes, prepare, options: schema } = toolCalls.definition
  const prepared: PreparedValidator<keyof typeof codes> = prepare(z.parse(schema, options))
  const answer = new Answer('', { toolCalls: [{ name, arguments: argumentsText(given) }] })
  const issues: Issue[] = []
  const found = prepared.check(answer, { locale, context: { tools }, ports: {}, signal: new AbortController().signal })
  if (Symbol.asyncIterator in found) throw new Error('the call cannot be checked synchronously; use check with a contract')
  for (const finding of found) {
    if (finding.kind === 'fact') continue
    const { kind: _kind, ...issue } = finding
    issues.push({ severity: codes[issue.code].severity, ...issue, validator })
  }
  return issues
}
