import type { Answer } from '../../../answer/answer.ts'
import type { TextSpan } from '../../../answer/span.ts'
import type { ToolCall } from '../../../answer/tool-calls.ts'
import type { ToolDefinition } from '../../../answer/tool-shapes/tool-definition.ts'
import type { Certificate } from '../../../contract/certificate.ts'
import { findTextToolCalls, hasCallTag } from './find.ts'

/** Yields the changes that turn tool calls in the text into real ones; none unless every one of them is right, and the answer ends with them. */
export function* turnTextIntoCalls(
  answer: Answer,
  tools: readonly ToolDefinition[],
  isRight: (call: ToolCall) => boolean,
): Generator<Certificate> {
  const found = findTextToolCalls(answer, tools)
  if (found.length === 0 || !found.every(({ calls }) => calls.every(isRight))) return
  const rest = textAround(answer, found)
  // Words after a call may say that it is not to be made.
  if (rest.behind.trim() !== '' || hasCallTag(rest.before)) return
  for (const { span, calls } of found) {
    // Text is never certain to be a call: whether one was meant is always a guess.
    yield { rule: 'text-to-tool-call', class: 'guess', span, before: answer.text.slice(span.start, span.end), after: '', calls }
  }
}

/** The text before and between the calls, and after the last one. */
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
