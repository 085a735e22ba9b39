/** A call of a tool that a model asks for. */
export interface ToolCall {
  readonly id?: string
  /** The name of the tool; empty when the call cannot be recognised, so that it is reported and not lost. */
  readonly name: string
  /** The arguments as the model wrote them; they need not be valid JSON. */
  readonly arguments: string
  /** `custom` when the tool takes free text, which is the argument `input`; absent for every other tool. */
  readonly kind?: 'custom'
  /** The group of tools that it names, where the API has such groups. */
  readonly namespace?: string
}
