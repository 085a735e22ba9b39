import { type Fields, isFields } from '../../../answer/tool-shapes/fields.ts'
import { checkFields, type FieldTable, readOptionalObjects, refuse, refuseUnsupported, requireField } from '../../request/read-fields.ts'
import { checkSchemaSize } from '../../request/schema-size.ts'
import { given } from '../../shared/fields.ts'
import type { MessagesReading } from './messages-options.ts'
import { cacheOf, translatedFields } from './read-part.ts'

const toolFields: FieldTable = new Map([
  ['description', 'text'],
  ['strict', 'boolean'],
])

/** The types of tools that Anthropic runs. */
const hosted = /^(?:web_search|web_fetch|code_execution|tool_search_tool|mcp_toolset)/

/** The tools as in chat completions; tools that Anthropic defines cannot be translated. */
export function readTools(tools: unknown, reading: MessagesReading): readonly Fields[] {
  return readOptionalObjects(tools, 'tools', reading.tools).flatMap((tool, index) => {
    const path = `tools[${index}].`
    // The reader of the answers compiles it, even where nothing is translated.
    checkSchemaSize(tool.input_schema, `${path}input_schema`)
    // Calls of an untranslatable tool are still calls of an offered tool, unless Anthropic runs it.
    const named =
      typeof tool.name === 'string' && !hosted.test(String(tool.type)) ? [{ type: 'function', function: { name: tool.name } }] : []
    return reading.translation.attempt(() => [readTool(tool, path, reading)], named)
  })
}

function readTool(tool: Fields, path: string, reading: MessagesReading): Fields {
  if ((tool.type ?? 'custom') !== 'custom')
    refuseUnsupported(`${path}type`, `${path}type must be custom: provider tools are not supported.`)
  requireField(tool, 'name', 'name', path)
  requireField(tool, 'input_schema', 'object', path)
  checkFields(tool, toolFields, path)
  reading.translation.dropOthers(tool, translatedFields(reading, 'name', 'description', 'input_schema', 'strict'), path)
  const { name, description, input_schema: parameters, strict } = tool
  return { type: 'function', function: given({ name, description, parameters, strict }), ...cacheOf(tool, reading) }
}

const fieldsOfChoice = new Set(['type', 'name', 'disable_parallel_tool_use'])

/** `tool_choice` and `parallel_tool_calls` of chat completions. */
export function readToolChoice(choice: unknown, { translation }: MessagesReading): Fields {
  if (!isFields(choice)) return {}
  translation.dropOthers(choice, fieldsOfChoice, 'tool_choice.')
  const parallel = choice.disable_parallel_tool_use === true ? { parallel_tool_calls: false } : {}
  return translation.attempt(() => ({ tool_choice: chosen(choice), ...parallel }), {})
}

function chosen(choice: Fields): unknown {
  switch (choice.type) {
    case 'auto':
    case 'none':
      return choice.type
    case 'any':
      return 'required'
    case 'tool':
      requireField(choice, 'name', 'name', 'tool_choice.')
      return { type: 'function', function: { name: choice.name } }
    default:
      return refuse('tool_choice.type', 'tool_choice.type must be auto, any, tool or none.')
  }
}
