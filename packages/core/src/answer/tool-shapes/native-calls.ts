import { field, idFor, idOf, namespaceOf, textField } from './fields.ts'
import type { ToolShape } from './shape.ts'

/** OpenAI's own tools that the client runs, by type, and the type of the items that call them. */
const callTypes: ReadonlyMap<unknown, string> = new Map([
  ['local_shell', 'local_shell_call'],
  ['shell', 'shell_call'],
  ['apply_patch', 'apply_patch_call'],
  ['computer', 'computer_call'],
  ['computer_use', 'computer_call'],
  ['computer_use_preview', 'computer_call'],
  ['computer-preview', 'computer_call'],
  ['mcp', 'mcp_approval_request'],
  ['tool_search', 'tool_search_call'],
])
const itemTypes: ReadonlySet<unknown> = new Set(callTypes.values())

/** What calls of one of OpenAI's own tools are named, from the tool or a choice of it; undefined for every other tool. */
export function nativeCallName(tool: unknown): string | undefined {
  const type = callTypes.get(field(tool, 'type'))
  return type && nameOf(type, tool)
}

/** Whether an item of an output is a call of one of these tools, by its type. */
export function isNativeCall(type: unknown): boolean {
  return itemTypes.has(type)
}

/** Whether an item of an output is a call that the client runs, by its type. */
export function isItemCall(type: unknown): boolean {
  return type === 'function_call' || type === 'custom_tool_call' || isNativeCall(type)
}

/** Calls of OpenAI's own tools: what is to be run is read as arguments, whatever the tool calls it. */
export const nativeShape: ToolShape = {
  fits: (entry) => isNativeCall(field(entry, 'type')),
  read: (entry) => {
    const { type, id: _id, call_id: _call, status: _status, ...rest } = entry
    return { ...idOf(entry, 'call_id', 'id'), name: nameOf(String(type), entry), arguments: JSON.stringify(rest) }
  },
  // No repair changes them.
  write: (_call, entry = {}) => entry,
}

/** Calls of custom tools among the items of an output: the input is free text, read as the only argument. */
export const customItemShape: ToolShape = {
  fits: (entry) => field(entry, 'type') === 'custom_tool_call',
  read: (entry) => ({
    ...idOf(entry, 'call_id'),
    ...namespaceOf(entry),
    kind: 'custom',
    name: textField(entry, 'name'),
    arguments: JSON.stringify({ input: textField(entry, 'input') }),
  }),
  write: (call, entry = {}) => ({ ...entry, ...idFor('call_id', call), name: call.name }),
}

/** Spaces keep the name apart from those of functions; a call to approve belongs to a server, which the tool names. */
function nameOf(type: string, holder: unknown): string {
  return type === 'mcp_approval_request' ? `built-in ${type} of ${textField(holder, 'server_label')}` : `built-in ${type}`
}
