import { type Fields, isFields } from '../../../answer/tool-shapes/fields.ts'
import type { Message } from '../../../engine/runner.ts'
import { RunnerFailure } from '../../../engine/runner-failure.ts'
import { parseJson } from '../../../json/parse-json.ts'
import type { DroppedFields } from '../../request/dropped-fields.ts'

/** A block of Anthropic's content. */
export type Block = Fields

const ofEvery = ['role', 'content']
const translated: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['system', new Set(ofEvery)],
  ['developer', new Set(ofEvery)],
  ['user', new Set(ofEvery)],
  ['assistant', new Set([...ofEvery, 'refusal', 'thinking_blocks', 'tool_calls'])],
  ['tool', new Set([...ofEvery, 'tool_call_id', 'is_error', 'cache_control'])],
])

/** The blocks of a message. */
export function messageBlocks(message: Message, path: string, dropped: DroppedFields): Block[] {
  const fields = translated.get(message.role)
  if (fields === undefined)
    return refuseField(`${path}role`, 'must be system, developer, user, assistant or tool for the upstream of this model.')
  // Content or calls of the model would be missing.
  for (const name of ['function_call', 'audio'])
    if (isFields(message[name])) refuseField(path + name, 'cannot be translated for the upstream of this model.')
  dropped.dropOthers(message, fields, path)
  if (message.role === 'assistant') return assistantBlocks(message, path, dropped)
  return message.role === 'tool' ? [toolResult(message, path, dropped)] : contentBlocks(message.content, path, dropped)
}

/** The end of the cached prefix of a prompt, if given. */
export function cached({ cache_control }: Block): Block {
  return isFields(cache_control) ? { cache_control } : {}
}

/** The blocks of a model's message: thinking, text, calls. */
function assistantBlocks(message: Message, path: string, dropped: DroppedFields): Block[] {
  const { content, refusal, thinking_blocks: thoughts, tool_calls: calls } = message
  return [
    ...(Array.isArray(thoughts) ? thoughts.filter(isFields) : []),
    ...contentBlocks(content, path, dropped),
    ...(typeof refusal === 'string' ? textBlock(refusal) : []),
    ...(Array.isArray(calls) ? calls.map((call: unknown, index) => toolUse(call, `${path}tool_calls[${index}].`, dropped)) : []),
  ]
}

/** The block of a tool's answer. */
function toolResult(message: Message, path: string, dropped: DroppedFields): Block {
  const { tool_call_id, content, is_error } = message
  const blocks = contentBlocks(content, path, dropped)
  const isText = blocks.every((block) => block.type === 'text' && Object.keys(block).length === 2)
  return {
    type: 'tool_result',
    tool_use_id: String(tool_call_id ?? ''),
    content: isText ? blocks.map(({ text }) => text).join('') : blocks,
    ...(is_error === true ? { is_error } : {}),
    ...cached(message),
  }
}

function contentBlocks(content: Message['content'], path: string, dropped: DroppedFields): Block[] {
  if (typeof content === 'string') return textBlock(content)
  return (content ?? []).flatMap((part, index) => partBlocks(part, `${path}content[${index}].`, dropped))
}

/** Anthropic refuses empty texts. */
function textBlock(text: string): Block[] {
  return text === '' ? [] : [{ type: 'text', text }]
}

const fieldsOfImage = new Set(['type', 'image_url', 'cache_control'])
const fieldsOfUrl = new Set(['url'])
const fieldsOfRefusal = new Set(['type', 'refusal'])

function partBlocks(part: unknown, path: string, dropped: DroppedFields): Block[] {
  if (typeof part === 'string') return textBlock(part)
  if (!isFields(part)) return []
  switch (part.type) {
    case 'text':
      return part.text === '' ? [] : [part]
    case 'image_url':
      dropped.dropOthers(part, fieldsOfImage, path)
      return [{ ...imageBlock(part.image_url, path, dropped), ...cached(part) }]
    case 'refusal':
      dropped.dropOthers(part, fieldsOfRefusal, path)
      return textBlock(typeof part.refusal === 'string' ? part.refusal : '')
    case 'file':
      return [{ ...documentBlock(part, path, dropped), ...cached(part) }]
    case 'input_audio':
      return refuseField(`${path}type`, 'must not be input_audio: the upstream of this model does not accept audio.')
    default:
      // Any other part may be one of Anthropic's own blocks.
      return [part]
  }
}

function imageBlock(given: unknown, path: string, dropped: DroppedFields): Block {
  const url = isFields(given) ? given.url : given
  if (isFields(given)) dropped.dropOthers(given, fieldsOfUrl, `${path}image_url.`)
  if (typeof url !== 'string' || url === '') return refuseField(`${path}image_url.url`, 'must be a string that is not empty.')
  return { type: 'image', source: base64Source(url) ?? { type: 'url', url } }
}

const fieldsOfFilePart = new Set(['type', 'file', 'cache_control'])
const fieldsOfFile = new Set(['filename', 'file_data'])

function documentBlock(part: Fields, path: string, dropped: DroppedFields): Block {
  const { file_data: data, filename } = isFields(part.file) ? part.file : {}
  const source = typeof data === 'string' ? base64Source(data) : undefined
  if (source === undefined)
    return refuseField(`${path}file.file_data`, 'must be a data URL: the upstream of this model does not have the file.')
  dropped.dropOthers(part, fieldsOfFilePart, path)
  if (isFields(part.file)) dropped.dropOthers(part.file, fieldsOfFile, `${path}file.`)
  return { type: 'document', source, ...(typeof filename === 'string' && filename !== '' ? { title: filename } : {}) }
}

/** Splits a data URL; by index, because it may be many megabytes long. */
function base64Source(url: string): Block | undefined {
  const mark = url.slice(0, 200).indexOf(';base64,')
  if (!url.startsWith('data:') || mark === -1) return undefined
  return { type: 'base64', media_type: url.slice('data:'.length, mark).split(';')[0], data: url.slice(mark + ';base64,'.length) }
}

const fieldsOfCall = new Set(['id', 'type', 'index', 'function', 'cache_control'])
const fieldsOfFunction = new Set(['name', 'arguments'])

function toolUse(call: unknown, path: string, dropped: DroppedFields): Block {
  if (!isFields(call) || !isFields(call.function))
    return refuseField(`${path}function`, 'must be an object: the upstream of this model calls functions only.')
  const { name, arguments: given } = call.function
  dropped.dropOthers(call, fieldsOfCall, path)
  dropped.dropOthers(call.function, fieldsOfFunction, `${path}function.`)
  return { type: 'tool_use', id: String(call.id ?? ''), name: String(name ?? ''), input: toolInput(given), ...cached(call) }
}

/** Anthropic requires an object; other arguments are passed to the model as text. */
function toolInput(given: unknown): Block {
  if (isFields(given)) return given
  const text = typeof given === 'string' ? given : ''
  if (text.trim() === '') return {}
  const parsed = parseJson(text)
  return isFields(parsed) ? parsed : { arguments: text }
}

/** Rejects a field without an equivalent, whose loss would change the meaning of a request. */
export function refuseField(param: string, why: string): never {
  const message = `${param} ${why}`
  const error = { type: 'invalid_request_error', code: 'unsupported_parameter', param, message }
  throw new RunnerFailure('http', message, { status: 400, body: JSON.stringify({ error }) })
}
