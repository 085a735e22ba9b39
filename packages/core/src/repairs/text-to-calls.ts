import type { Answer } from '../answer/answer.ts'
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
  if (!found.every(({ calls }) => calls.every(isRight))) return
  for (const { span, calls } of found)
    yield { rule: 'text-to-tool-call', class: 'lossless', span, before: answer.text.slice(span.start, span.end), after: '', calls }
}
