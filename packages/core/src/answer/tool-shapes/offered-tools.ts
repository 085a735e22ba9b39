import { type Fields, field, isFields, textField } from './fields.ts'
import { readTools, type ToolDefinition } from './tool-definition.ts'

/** What a check is told about the tools of a request, in the shapes in which they were sent to the model. */
export interface ToolOffer {
  /** The tools; `null` and an empty list offer none. */
  readonly tools?: unknown
  /** The choice among them: `none`, one tool by name, or some of them. */
  readonly toolChoice?: unknown
}

/** The tools that an answer may call: those that were offered, as far as the choice allows them; undefined when nobody says. */
export function offeredTools({ tools, toolChoice }: ToolOffer): readonly ToolDefinition[] | undefined {
  if (tools === null || isNone(toolChoice)) return []
  const offered = readTools(tools)
  const chosen = offered && chosenNames(toolChoice)
  return chosen ? offered.filter(({ name }) => chosen.includes(name)) : offered
}

/** Chat Completions and Responses write `none`, Anthropic an object of that type. */
function isNone(choice: unknown): boolean {
  return choice === 'none' || field(choice, 'type') === 'none'
}

/** The names that a choice is limited to; undefined when it is free. */
function chosenNames(choice: unknown): readonly string[] | undefined {
  if (!isFields(choice)) return undefined
  const list = field(field(choice, 'allowed_tools') ?? choice, 'tools')
  if (field(choice, 'type') === 'allowed_tools' && Array.isArray(list)) return list.map(nameOf)
  const name = nameOf(choice)
  return name === '' ? undefined : [name]
}

/** The name in `{function: {name}}`, `{name}`, or the AI SDK's `{toolName}`. */
function nameOf(choice: Fields): string {
  return (
    textField(field(choice, 'function') ?? field(choice, 'custom'), 'name') || textField(choice, 'name') || textField(choice, 'toolName')
  )
}
