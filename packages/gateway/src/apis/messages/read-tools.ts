import { type Fields, given, isFields } from '../shared/fields.ts'
import { checkFields, type FieldTable, readOptionalObjects, refuse, refuseUnsupported, requireField } from '../shared/read-fields.ts'
import { checkSchemaSize } from '../shared/schema-size.ts'
import type { MessagesOptions } from './messages-options.ts'

const toolFields: FieldTable = new Map([
  ['description', 'text'],
  ['strict', 'boolean'],
])

/** The tools in the shape of chat completions; tools that Anthropic defines cannot be translated. */
export function readTools(tools: unknown, { tools: max, native }: MessagesOptions): readonly Fields[] {
  return readOptionalObjects(tools, 'tools', max).map((tool, index) => {
    const path = `tools[${index}].`
    if ((tool.type ?? 'custom') !== 'custom') {
      refuseUnsupported(`${path}type`, `${path}type must be custom: this gateway knows no tools of the provider.`)
    }
    requireField(tool, 'name', 'name', path)
    requireField(tool, 'input_schema', 'object', path)
    checkFields(tool, toolFields, path)
    checkSchemaSize(tool.input_schema, `${path}input_schema`)
    const { name, description, input_schema: parameters, strict } = tool
    const cache = native ? given({ cache_control: tool.cache_control }) : {}
    return { type: 'function', function: given({ name, description, parameters, strict }), ...cache }
  })
}

/** `tool_choice` and `parallel_tool_calls` of chat completions. */
export function readToolChoice(choice: unknown): Fields {
  if (!isFields(choice)) return {}
  const parallel = choice.disable_parallel_tool_use === true ? { parallel_tool_calls: false } : {}
  return { tool_choice: chosen(choice), ...parallel }
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
