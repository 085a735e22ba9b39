import { type Fields, isFields } from '../../../answer/tool-shapes/fields.ts'
import type { RequestLimits } from '../../request/limits.ts'
import {
  checkFields,
  type FieldTable,
  readObjects,
  readOptionalObjects,
  refuse,
  refuseUnsupported,
  requireField,
} from '../../request/read-fields.ts'
import { checkSchemaSize } from '../../request/schema-limit.ts'
import type { Translation } from '../../request/translation.ts'
import { given } from '../../shared/selected-fields.ts'

const toolFields: FieldTable = new Map([
  ['description', 'text'],
  ['parameters', 'object'],
  ['strict', 'boolean'],
])

const modes: readonly unknown[] = ['none', 'auto', 'required']

/** The tools as in chat completions; tools that OpenAI runs itself cannot be translated. */
export function readTools(tools: unknown, limits: RequestLimits, translation: Translation): readonly Fields[] {
  return readOptionalObjects(tools, 'tools', limits.tools).flatMap((tool, index): readonly Fields[] => {
    const path = `tools[${index}].`
    requireField(tool, 'type', 'name', path)
    if (tool.type !== 'function') {
      translation.attempt(
        () => refuseUnsupported(`${path}type`, `${path}type must be function: the upstream of this model runs no built-in tools.`),
        undefined,
      )
      // Calls of an untranslatable tool are still calls of an offered tool, where the client runs it.
      return tool.type === 'custom' && typeof tool.name === 'string' ? [{ type: 'custom', custom: { name: tool.name } }] : [tool]
    }
    requireField(tool, 'name', 'name', path)
    checkFields(tool, toolFields, path)
    const { name, description, parameters, strict } = tool
    checkSchemaSize(parameters, `${path}parameters`)
    return [{ type: 'function', function: given({ name, description, parameters, strict }) }]
  })
}

/** The tool choice as in chat completions. */
export function readToolChoice(choice: unknown): unknown {
  if (choice === undefined || choice === null || modes.includes(choice)) return choice
  if (!isFields(choice)) return refuse('tool_choice', 'tool_choice must be none, auto, required or an object.')
  if (choice.type === 'function') return namedFunction(choice, 'tool_choice.')
  if (choice.type !== 'allowed_tools') return refuseUnsupported('tool_choice.type', 'tool_choice.type must be function or allowed_tools.')
  const tools = readObjects(choice.tools, 'tool_choice.tools', Number.POSITIVE_INFINITY)
  return {
    type: 'allowed_tools',
    allowed_tools: { mode: choice.mode, tools: tools.map((tool, index) => namedFunction(tool, `tool_choice.tools[${index}].`)) },
  }
}

const hosted: ReadonlySet<unknown> = new Set(['file_search', 'code_interpreter', 'image_generation', 'mcp'])

/** A choice that cannot be translated, unless it names a tool that the provider runs: then any of the client's tools may be called. */
export function clientChoice(choice: unknown): unknown {
  const isHosted = isFields(choice) && (hosted.has(choice.type) || String(choice.type).startsWith('web_search'))
  return isHosted ? undefined : choice
}

function namedFunction(choice: Fields, path: string): Fields {
  if (choice.type !== 'function') refuseUnsupported(`${path}type`, `${path}type must be function.`)
  requireField(choice, 'name', 'name', path)
  return { type: 'function', function: { name: choice.name } }
}
