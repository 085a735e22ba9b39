import { type Fields, field, isFields, textField } from './tool-shapes/fields.ts'
import { shapeOf } from './tool-shapes/locate.ts'

/**
 * Types of parts and items that hold neither text of the answer nor a call for the caller: reasoning, files, and what a provider runs by itself.
 *
 * Audio and refusals are read elsewhere.
 */
const silentTypes: ReadonlySet<string> = new Set(
  (
    'thinking redacted_thinking reasoning redacted-reasoning refusal image image_url input_image file input_file document document_url ' +
    'reference source source-url source-document step-start container_upload server_tool_use mcp_tool_use tool-approval-request ' +
    'tool-approval-response function_call_output custom_tool_call_output local_shell_call_output shell_call_output apply_patch_call_output ' +
    'computer_call_output mcp_approval_response tool_search_output additional_tools program program_output web_search_call file_search_call code_interpreter_call ' +
    'image_generation_call mcp_call mcp_list_tools compaction'
  ).split(' '),
)
const silentEnds = ['audio', 'tool_result', 'tool-result', 'tool-error']

/** The same for parts without a type, which are known by their key: those of Gemini and of Bedrock. */
const silentKeys = [
  ...['thoughtSignature', 'inlineData', 'fileData', 'executableCode', 'codeExecutionResult', 'functionResponse'],
  ...['reasoningContent', 'toolResult', 'image', 'document', 'video', 'cachePoint', 'guardContent'],
  ...['audio', 'refusal'],
]

/** Whether a part is known to hold neither text of the answer nor a call. */
export function isSilentPart(part: Fields): boolean {
  const type = field(part, 'type')
  if (typeof type === 'string') return silentTypes.has(type) || type.startsWith('data-') || silentEnds.some((end) => type.endsWith(end))
  return field(part, 'thought') === true || silentKeys.some((key) => field(part, key) !== undefined)
}

/** The types of parts in a content that cannot be read: their content would be lost. */
export function unknownParts(content: unknown): readonly string[] {
  return Array.isArray(content) ? [...new Set(content.filter((part) => !isKnownPart(part)).map(nameOfPart))] : []
}

/** The same for the items of an output of Responses, some of which are messages. */
export function unknownItems(output: unknown): readonly string[] {
  if (!Array.isArray(output)) return []
  return output.flatMap((item) => {
    const type = field(item, 'type')
    // Calls without a type are not read here.
    if (typeof type !== 'string') return [nameOfPart(item)]
    return unknownParts(type === 'message' ? field(item, 'content') : [item])
  })
}

function isKnownPart(part: unknown): boolean {
  if (typeof part === 'string' || part === null) return true
  if (!isFields(part) || hasOddText(part)) return false
  return isSilentPart(part) || typeof field(part, 'text') === 'string' || shapeOf(part) !== undefined
}

/** Whether something else is where a part has the input of a custom tool, or the words of a refusal: programs join it with texts. */
function hasOddText(part: Fields): boolean {
  const input = field(part, 'type') === 'custom_tool_call' ? field(part, 'input') : undefined
  return [input, field(part, 'refusal')].some((text) => text !== undefined && text !== null && typeof text !== 'string')
}

/** How a part is called where it cannot be read. */
export function nameOfPart(part: unknown): string {
  if (!isFields(part)) return part === null ? 'null' : typeof part
  return (textField(part, 'type') || (Object.keys(part)[0] ?? 'an empty part')).slice(0, 80)
}
