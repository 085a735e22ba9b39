import { type Fields, isFields } from '../../../answer/tool-shapes/fields.ts'
import type { Message } from '../../../engine/runner.ts'
import { withheld } from '../../request/host-fields.ts'
import type { RequestLimits } from '../../request/limits.ts'
import {
  checkFields,
  type FieldTable,
  readModel,
  readObjects,
  readOptionalObjects,
  refuse,
  requireField,
} from '../../request/read-fields.ts'
import { checkSchemaSize } from '../../request/schema-limit.ts'
import type { ClientRequest } from '../../shared/api.ts'
import { without } from '../../shared/selected-fields.ts'

/** Request fields that are never sent to an upstream. */
export const notForwarded = withheld()

/** The parameters of a request, and their types. */
export const chatParameters: FieldTable = new Map([
  ['stream', 'boolean'],
  ['stream_options', 'object'],
  ['n', 'integer'],
  ['best_of', 'integer'],
  ['max_tokens', 'count'],
  ['max_completion_tokens', 'count'],
  ['temperature', 'number'],
  ['top_p', 'number'],
  ['presence_penalty', 'number'],
  ['frequency_penalty', 'number'],
  ['seed', 'integer'],
  ['stop', 'text or texts'],
  ['logprobs', 'boolean'],
  ['top_logprobs', 'size'],
  ['logit_bias', 'object'],
  ['parallel_tool_calls', 'boolean'],
  ['tool_choice', 'text or object'],
  ['response_format', 'object'],
  ['functions', 'objects'],
  ['function_call', 'text or object'],
  ['modalities', 'texts'],
  ['reasoning_effort', 'text'],
  ['metadata', 'object'],
  ['user', 'text'],
  ['store', 'boolean'],
  ['stickler', 'object'],
])

const streamOptions: FieldTable = new Map([['include_usage', 'boolean']])

const messageFields: FieldTable = new Map([
  ['content', 'text or list'],
  ['name', 'text'],
  ['tool_call_id', 'text'],
  ['tool_calls', 'objects'],
])

const functionFields: FieldTable = new Map([
  ['description', 'text'],
  ['parameters', 'object'],
  ['strict', 'boolean'],
])

/** Reads a chat completions request; unknown fields are passed through. */
export function readChat(body: Fields, limits: RequestLimits): ClientRequest {
  const model = readModel(body)
  const messages = readObjects(body.messages, 'messages', limits.messages).map((message, index) => readMessage(message, index, limits))
  checkFields(body, chatParameters)
  if (isFields(body.stream_options)) checkFields(body.stream_options, streamOptions, 'stream_options.')
  checkChoices('n', body.n, limits)
  checkChoices('best_of', body.best_of, limits)
  const format = isFields(body.response_format) ? body.response_format.json_schema : undefined
  checkSchemaSize(isFields(format) ? format.schema : undefined, 'response_format', body.response_format)
  readOptionalObjects(body.tools, 'tools', limits.tools).forEach((tool, index) => {
    checkTool(tool, `tools[${index}].`)
  })
  readOptionalObjects(body.functions, 'functions', limits.tools).forEach(({ parameters }, index) => {
    checkSchemaSize(parameters, `functions[${index}].parameters`)
  })
  return {
    chat: Object.assign(without(body, notForwarded), { model, messages }),
    stream: body.stream === true,
    includeUsage: isFields(body.stream_options) && body.stream_options.include_usage === true,
    body,
  }
}

function checkChoices(name: string, count: unknown, limits: RequestLimits): void {
  if (typeof count === 'number' && (count < 1 || count > limits.choices)) refuse(name, `${name} must be between 1 and ${limits.choices}.`)
}

function readMessage(message: Fields, index: number, limits: RequestLimits): Message {
  const path = `messages[${index}].`
  requireField(message, 'role', 'name', path)
  checkFields(message, messageFields, path)
  if (Array.isArray(message.content)) readOptionalObjects(message.content, `${path}content`, limits.parts)
  if (!isMessage(message)) refuse(`messages[${index}]`, `messages[${index}] must be a message.`)
  return message
}

/** Guaranteed by the checks above. */
function isMessage(message: Fields): message is Message {
  return typeof message.role === 'string'
}

function checkTool(tool: Fields, path: string): void {
  // Some clients omit the type of a function.
  if (tool.type === undefined ? !isFields(tool.function) : true) requireField(tool, 'type', 'name', path)
  if (tool.type !== undefined && tool.type !== 'function') return
  requireField(tool, 'function', 'object', path)
  if (!isFields(tool.function)) return
  requireField(tool.function, 'name', 'name', `${path}function.`)
  checkFields(tool.function, functionFields, `${path}function.`)
  checkSchemaSize(tool.function.parameters, `${path}function.parameters`)
}
