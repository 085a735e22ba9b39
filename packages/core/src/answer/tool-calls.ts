/** A call of a tool that a model asks for. */
export interface ToolCall {
  readonly id?: string
  readonly name: string
  /** The arguments as the model wrote them; they need not be valid JSON. */
  readonly arguments: string
}

/** Reads `tool_calls` as OpenAI-compatible providers send them; entries that are no calls are left out. */
export function readToolCalls(calls: unknown): ToolCall[] {
  if (!Array.isArray(calls)) return []
  return calls.map(readToolCall).filter((call) => call !== undefined)
}

function readToolCall(call: unknown): ToolCall | undefined {
  if (!isRecord(call) || !isRecord(call.function)) return undefined
  const { name, arguments: given } = call.function
  if (typeof name !== 'string') return undefined
  const text = typeof given === 'string' ? given : JSON.stringify(given ?? {})
  return { name, arguments: text, ...(typeof call.id === 'string' ? { id: call.id } : {}) }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
