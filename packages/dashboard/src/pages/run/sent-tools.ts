import { isObject } from '../../api/evaluation-types.ts'
import type { Run } from '../../api/run-types.ts'

type Fields = Readonly<Record<string, unknown>>

/** Whether it is not known which tools a request offered: it was too long, or an older version recorded calls without them. */
export function lacksContext({ context, attempts, toolCalls }: Run): boolean {
  if (context !== undefined) return 'omitted characters' in context
  return toolCalls !== undefined || attempts.some((attempt) => attempt.toolCalls !== undefined)
}

/** The tools of a request in the format of an API; records have them as chat completions do. */
export function toolsFor(api: string, { context }: Run): { readonly tools?: readonly unknown[] } {
  const tools = context?.tools
  if (!Array.isArray(tools) || tools.length === 0) return {}
  return { tools: tools.map((tool: unknown) => (isObject(tool) ? toolFor(api, tool) : tool)) }
}

function toolFor(api: string, tool: Fields): Fields {
  const { type = 'function' } = tool
  // The deprecated functions are listed as they are.
  const made = tool.type === undefined && !isObject(tool.function) ? tool : tool[String(type)]
  if (!isObject(made)) return tool
  if (api === 'responses') return { type, ...made }
  if (api !== 'messages' || type !== 'function') return { type, [String(type)]: made }
  const { parameters = { type: 'object' }, ...others } = made
  return { ...others, input_schema: parameters }
}
