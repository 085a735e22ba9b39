/** The shapes that `readAnswer` knows. */
export const answerShapes = [
  'a text',
  '{text, tool_calls}',
  'a message {role, content}',
  'OpenAI {choices} or {output: […]}',
  'Anthropic {content: […]}',
  'Gemini {candidates}',
  'Bedrock {output: {message}}',
  'LangChain',
  'AI SDK {text, toolCalls} or {parts}',
  'GlueLLM {final_response}',
  'a list of parts or calls',
  'one call {name, arguments}',
] as const

/** Thrown by `readAnswer` for what it cannot read: a mistake of the program or of its data, never a verdict about an answer. */
export class UnreadableAnswerError extends TypeError {
  override readonly name = 'UnreadableAnswerError'
  /** What is wrong, in a few words. */
  readonly why: string

  constructor(why: string) {
    super(`this is not a response that can be read: ${why}`)
    this.why = why
  }

  /** What can be read. */
  get shapes(): readonly string[] {
    return answerShapes
  }
}

/** The error for an object or entry of no known shape, which names its keys and the shapes. */
export function unknownShape(what: string, value: object): UnreadableAnswerError {
  const keys = Object.keys(value)
    .slice(0, 10)
    .map((key) => key.slice(0, 80))
  return new UnreadableAnswerError(
    `${what} has neither text nor calls in a known place; its keys are ${keys.join(', ') || 'none'}; known are ${answerShapes.join(', ')}`,
  )
}
