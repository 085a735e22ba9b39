import { type Fields, isFields } from '../../../answer/tool-shapes/fields.ts'
import type { DroppedFields } from '../../request/dropped-fields.ts'
import { cached } from './anthropic-content.ts'
import { refuseField } from './refuse-field.ts'

/** The tools of a request and which of them may be called. */
export function toolsOf({ tools, tool_choice, parallel_tool_calls }: Fields, dropped: DroppedFields): Fields {
  if (!Array.isArray(tools) || tools.length === 0) {
    dropped.dropGiven({ tool_choice, parallel_tool_calls }, ['tool_choice', 'parallel_tool_calls'])
    return {}
  }
  const choice = toolChoice(tool_choice, dropped)
  const single = parallel_tool_calls === false && choice?.type !== 'none' ? { disable_parallel_tool_use: true } : {}
  const all = choice === undefined && parallel_tool_calls !== false ? undefined : { ...(choice ?? { type: 'auto' }), ...single }
  const translated = tools.map((tool: unknown, index) => toolOf(tool, `tools[${index}].`, dropped))
  return { tools: translated, ...(all === undefined ? {} : { tool_choice: all }) }
}

const fieldsOfTool = new Set(['type', 'function', 'cache_control'])
const fieldsOfFunction = new Set(['name', 'description', 'parameters', 'strict'])

function toolOf(tool: unknown, path: string, dropped: DroppedFields): Fields {
  if (!isFields(tool)) return refuseField(path.slice(0, -1), 'must be an object.')
  if (isFields(tool.custom)) return refuseField(`${path}type`, 'must be function for the upstream of this model.')
  // What is neither may be a tool of Anthropic's own.
  if (!isFields(tool.function)) return tool
  const { name, description, parameters, strict } = tool.function
  dropped.dropOthers(tool, fieldsOfTool, path)
  dropped.dropOthers(tool.function, fieldsOfFunction, `${path}function.`)
  return {
    name,
    ...(typeof description === 'string' ? { description } : {}),
    input_schema: isFields(parameters) ? parameters : { type: 'object', properties: {} },
    ...(typeof strict === 'boolean' ? { strict } : {}),
    ...cached(tool),
  }
}

const fieldsOfChoice = new Set(['type', 'function'])

function toolChoice(choice: unknown, dropped: DroppedFields): Fields | undefined {
  if (choice === 'auto' || choice === 'none') return { type: choice }
  if (choice === 'required') return { type: 'any' }
  if (choice === undefined || choice === null) return undefined
  if (!isFields(choice)) return refuseField('tool_choice', 'must be auto, none, required or a tool.')
  if (choice.type === 'allowed_tools' || choice.type === 'custom')
    return refuseField('tool_choice.type', 'must be function for the upstream of this model.')
  // What names no function may be a choice in Anthropic's own words.
  if (!isFields(choice.function)) return choice
  dropped.dropOthers(choice, fieldsOfChoice, 'tool_choice.')
  return { type: 'tool', name: choice.function.name }
}
