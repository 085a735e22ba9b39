import { type Fields, isFields } from '../tool-shapes/fields.ts'
import { forcesCall } from '../tool-shapes/tool-choice.ts'

const formats: ReadonlySet<unknown> = new Set(['json_schema', 'json_object'])

/**
 * Whether a request of chat completions asks for JSON that a program parses: by its format or, as clients do for models
 * that know none, by a tool that must be called; a model that answers with text all the same is expected to write its arguments.
 */
export function wantsValue({ response_format: format, tool_choice: choice, function_call: older }: Fields): boolean {
  return (isFields(format) && formats.has(format.type)) || forcesCall(choice ?? older)
}
