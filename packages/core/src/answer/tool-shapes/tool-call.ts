/** A call of a tool that a model asks for. */
export interface ToolCall {
  readonly id?: string
  /** The name of the tool; empty when the call cannot be recognised, so that it is reported and not lost. */
  readonly name: string
  /** The arguments as the model wrote them; they need not be valid JSON. */
  readonly arguments: string
}
