import { argumentsLike, argumentsText, field, firstField, idFor, idOf, isFields, namespaceOf, textField } from './fields.ts'
import { isItemCall } from './native-calls.ts'
import type { ToolShape } from './shape.ts'

const types = new Set<unknown>([undefined, 'function', 'function_call', 'tool_call'])

/** A flat call `{name, arguments}`, as many local models and OpenAI's Responses write it. */
export const flatShape: ToolShape = {
  // A part such as an image may have a name too; only its type distinguishes it from a call.
  fits: (entry) => field(entry, 'name') !== undefined && types.has(field(entry, 'type')),
  read: (entry) => ({
    ...idOf(entry, 'call_id', 'id'),
    ...namespaceOf(entry),
    // LangChain's, and that of a call as it is read here.
    ...(field(entry, 'isCustomTool') === true || field(entry, 'kind') === 'custom' ? { kind: 'custom' as const } : {}),
    name: textField(entry, 'name'),
    arguments: argumentsText(firstField(entry, 'arguments', 'args', 'parameters')?.given),
  }),
  write: (call, entry) => {
    const { key, given } = firstField(entry, 'arguments', 'args', 'parameters') ?? { key: 'arguments', given: undefined }
    const id = idFor(field(entry, 'call_id') === undefined ? 'id' : 'call_id', call)
    return { ...(entry ?? id), ...id, name: call.name, [key]: argumentsLike(given, call.arguments) }
  },
}

/** OpenAI's deprecated `function_call`: a single flat call under its own key. */
export const functionCallShape: ToolShape = { ...flatShape, holder: { key: 'function_call', holds: 'one' } }

/** OpenAI's Responses: flat calls with a type, among the other items of `output`. */
export const responsesShape: ToolShape = { ...flatShape, holder: { key: 'output', holds: 'parts', only: isItemCall } }

/** Anthropic's `tool_use` blocks in the content of a message; the input is an object. */
export const anthropicShape: ToolShape = {
  holder: { key: 'content', holds: 'parts' },
  fits: (entry) => field(entry, 'type') === 'tool_use',
  read: (entry) => ({ ...idOf(entry, 'id'), name: textField(entry, 'name'), arguments: argumentsText(field(entry, 'input')) }),
  write: (call, entry) => ({
    type: 'tool_use',
    ...idFor('id', call),
    ...entry,
    ...idFor('id', call),
    name: call.name,
    input: argumentsLike(field(entry, 'input') ?? {}, call.arguments),
  }),
}

/** Blocks `{toolUse: {toolUseId, name, input}}` of Bedrock's Converse, in the content of a message. */
export const bedrockShape: ToolShape = {
  fits: (entry) => field(entry, 'toolUse') !== undefined,
  read: (entry) => {
    const call = field(entry, 'toolUse')
    return { ...idOf(call, 'toolUseId'), name: textField(call, 'name'), arguments: argumentsText(field(call, 'input')) }
  },
  write: (call, entry) => {
    const given = field(entry, 'toolUse')
    const kept = isFields(given) ? given : {}
    return {
      ...entry,
      toolUse: { ...kept, ...idFor('toolUseId', call), name: call.name, input: argumentsLike(field(given, 'input') ?? {}, call.arguments) },
    }
  },
}

/** Gemini's parts `{functionCall: {name, args}}`. */
export const geminiShape: ToolShape = {
  holder: { key: 'parts', holds: 'parts' },
  fits: (entry) => field(entry, 'functionCall') !== undefined,
  read: (entry) => {
    const call = field(entry, 'functionCall')
    return { ...idOf(call, 'id'), name: textField(call, 'name'), arguments: argumentsText(field(call, 'args')) }
  },
  write: (call, entry) => {
    const given = field(entry, 'functionCall')
    const kept = isFields(given) ? given : {}
    return {
      ...entry,
      functionCall: { ...kept, ...idFor('id', call), name: call.name, args: argumentsLike(field(given, 'args') ?? {}, call.arguments) },
    }
  },
}

/** GlueLLM's `tool_execution_history[].{tool_name, arguments}`. */
export const gluellmShape: ToolShape = {
  holder: { key: 'tool_execution_history', holds: 'calls' },
  fits: (entry) => field(entry, 'tool_name') !== undefined,
  read: (entry) => ({
    ...idOf(entry, 'id', 'tool_call_id'),
    name: textField(entry, 'tool_name'),
    arguments: argumentsText(field(entry, 'arguments')),
  }),
  write: (call, entry) => ({
    ...entry,
    ...(field(entry, 'tool_call_id') === undefined ? idFor('id', call) : idFor('tool_call_id', call)),
    tool_name: call.name,
    arguments: argumentsLike(field(entry, 'arguments') ?? {}, call.arguments),
  }),
}

/** LangChain's `invalid_tool_calls`, whose arguments it could not parse; a call that has been changed is one of its `tool_calls`. */
export const invalidCallShape: ToolShape = {
  holder: { key: 'invalid_tool_calls', holds: 'calls' },
  fits: (entry) => {
    const type = field(entry, 'type')
    return (
      type === 'invalid_tool_call' ||
      (type === undefined && field(entry, 'error') !== undefined && typeof field(entry, 'args') === 'string')
    )
  },
  read: (entry) => ({ ...flatShape.read(entry), arguments: argumentsText(field(entry, 'args')) }),
  write: (call) => ({ type: 'tool_call', ...idFor('id', call), name: call.name, args: argumentsLike({}, call.arguments) }),
}

const prefix = 'tool-'

/** Tool parts of the AI SDK's UI messages: `{type: 'tool-<name>', toolCallId, state, input}`, or `dynamic-tool` with a `toolName`. */
export const uiPartShape: ToolShape = {
  // Other parts whose type starts so have no state.
  fits: (entry) => {
    const type = textField(entry, 'type')
    return (type === 'dynamic-tool' || type.startsWith(prefix)) && textField(entry, 'state') !== ''
  },
  read: (entry) => ({
    ...idOf(entry, 'toolCallId'),
    name: isDynamic(entry) ? textField(entry, 'toolName') : textField(entry, 'type').slice(prefix.length),
    // Input that is not valid is kept apart.
    arguments: argumentsText(firstField(entry, 'input', 'rawInput')?.given),
  }),
  write: (call, entry) => ({
    state: 'input-available',
    ...entry,
    ...idFor('toolCallId', call),
    ...(isDynamic(entry) ? { toolName: call.name } : { type: `${prefix}${call.name}` }),
    input: argumentsLike(firstField(entry, 'input', 'rawInput')?.given ?? {}, call.arguments),
  }),
}

function isDynamic(entry: unknown): boolean {
  return field(entry, 'type') === 'dynamic-tool'
}

/** Tool-call parts of the Vercel AI SDK: `{type: 'tool-call', toolCallId, toolName, input}`, before version 5 with `args`. */
export const vercelShape: ToolShape = {
  holder: { key: 'toolCalls', holds: 'calls' },
  fits: (entry) => {
    const type = field(entry, 'type')
    // A `tool-result` part names its tool too, but is not a call.
    return type === 'tool-call' || (type === undefined && field(entry, 'toolName') !== undefined)
  },
  read: (entry) => ({
    ...idOf(entry, 'toolCallId'),
    name: textField(entry, 'toolName'),
    arguments: argumentsText(firstField(entry, 'input', 'args')?.given),
  }),
  write: (call, entry) => {
    const { key, given } = firstField(entry, 'input', 'args') ?? { key: 'input', given: {} }
    return {
      type: 'tool-call',
      ...idFor('toolCallId', call),
      ...entry,
      ...idFor('toolCallId', call),
      toolName: call.name,
      [key]: argumentsLike(given, call.arguments),
    }
  },
}
