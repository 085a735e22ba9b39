import { contentText } from '../../answer/content.ts'
import { pastContext } from '../../answer/past-context.ts'
import { wantsValue } from '../../answer/request/answer-request.ts'
import type { ChatRequest } from '../../apis/shared/api.ts'
import { HttpError } from '../../apis/shared/http-error.ts'

/** The context of a request for checks: its question, its tools, and what the caller adds. */
export function requestContext(
  given: Readonly<Record<string, unknown>> | undefined,
  chat: ChatRequest,
  body: Readonly<Record<string, unknown>> | undefined,
): Readonly<Record<string, unknown>> {
  const context: Record<string, unknown> = { question: typeof given?.question === 'string' ? given.question : lastQuestion(chat) }
  context.tools = toolsOf(chat)
  const choice = chat.tool_choice ?? chat.function_call ?? undefined
  if (choice !== undefined) context.toolChoice = choice
  if (choice !== chat.function_call && chat.function_call !== null) context.functionCall = chat.function_call
  if (chat.parallel_tool_calls === false) context.parallelToolCalls = false
  if (wantsValue(chat)) context.deliver = 'value'
  if (given?.sources !== undefined) context.sources = given.sources
  if (given?.context !== undefined) context.context = given.context
  // What could not be translated may hold calls, or refer to them.
  return given === undefined && body === undefined
    ? context
    : Object.assign(context, pastContext(given ?? {}, wrongOf, body ?? chat.messages))
}

/** The tools of a request; without any, every call is one too many. */
function toolsOf({ tools, functions }: ChatRequest): readonly unknown[] {
  const offered = Array.isArray(tools) ? tools : noTools
  // The deprecated way to offer tools, which providers still support.
  return Array.isArray(functions) ? [...offered, ...functions] : offered
}

function wrongOf(param: string, message: string): HttpError {
  return new HttpError(400, `stickler.${param} ${message}`, { param: `stickler.${param}` })
}

const noTools: readonly unknown[] = []

function lastQuestion({ messages }: ChatRequest): string {
  return contentText(messages.findLast(({ role }) => role === 'user')?.content)
}
