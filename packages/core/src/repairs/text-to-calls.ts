import type { Answer } from '../answer/answer.ts'
import type { TextSpan } from '../answer/span.ts'
import type { ToolCall } from '../answer/tool-calls.ts'
import type { ToolDefinition } from '../answer/tool-shapes/tool-definition.ts'
import type { Certificate } from '../contract/certificate.ts'
import { findTextToolCalls } from './text-tool-calls/find.ts'

/** Yields the changes that turn tool calls in the text into real ones; none unless every one of them is right. */
export function* turnTextIntoCalls(
  answer: Answer,
  tools: readonly ToolDefinition[],
  isRight: (call: ToolCall) => boolean,
): Generator<Certificate> {
  const found = findTextToolCalls(answer, tools)
  const rest = textAround(answer, found)
  if (found.length === 0 || !found.every(({ calls }) => calls.every(isRight)) || callTag.test(rest.before + rest.behind)) return
  // Words around a call may say that it is an example, or not to be made; a tag that ends the answer is no example.
  const tagged = found.every(({ span }) => answer.text[span.start] === '<')
  const sure = rest.behind.trim() === '' && (tagged || rest.before.trim() === '')
  for (const { span, calls } of found)
    yield {
      rule: 'text-to-tool-call',
      class: sure ? 'lossless' : 'guess',
      span,
      before: answer.text.slice(span.start, span.end),
      after: '',
      calls,
    }
}

/** The opening tag of a call that is written as text. */
export const callTag = /<(?:tool_calls?|function_call)>/i

/** The text before and between the calls, and behind the last one. */
function textAround(
  { text, bodyStart }: Answer,
  found: readonly { readonly span: TextSpan }[],
): { readonly before: string; readonly behind: string } {
  let before = ''
  let at = bodyStart
  for (const { span } of found) {
    before += text.slice(at, span.start)
    at = span.end
  }
  return { before, behind: text.slice(at) }
}
