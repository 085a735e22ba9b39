import { type Fields, isFields } from '../tool-shapes/fields.ts'
import { forcesCall } from '../tool-shapes/tool-choice.ts'
import { readTools } from '../tool-shapes/tool-definition.ts'

const formats: ReadonlySet<unknown> = new Set(['json_schema', 'json_object'])

/**
 * Whether a request of chat completions asks for JSON that a program parses: by its format or, as clients do for models
 * that know none, by its only tool, which must be called; a model that still answers with text is expected to write its arguments.
 */
export function wantsValue({ response_format: format, tools, functions, tool_choice: choice, function_call: older }: Fields): boolean {
  if (isFields(format) && formats.has(format.type)) return true
  const offered = tools ?? functions
  // A tool that the provider runs has no arguments that a model could write instead.
  return Array.isArray(offered) && offered.length === 1 && forcesCall(choice ?? older) && readTools(offered)?.length === 1
}
