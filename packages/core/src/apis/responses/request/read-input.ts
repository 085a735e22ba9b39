import type { Fields } from '../../../answer/tool-shapes/fields.ts'
import { hasSucceeded } from '../../../answer/tool-shapes/tool-result.ts'
import type { Message } from '../../../engine/runner.ts'
import type { RequestLimits } from '../../request/limits.ts'
import { readObjects, refuse, refuseUnsupported, requireField } from '../../request/read-fields.ts'
import { asError, joinParts } from '../../request/text-parts.ts'
import type { Translation } from '../../request/translation.ts'
import { given } from '../../shared/selected-fields.ts'

const roles: readonly unknown[] = ['user', 'assistant', 'system', 'developer']

/** The chat completions messages of an input. */
export function readInput(input: unknown, limits: RequestLimits, translation: Translation): readonly Message[] {
  if (typeof input === 'string') return [{ role: 'user', content: input }]
  requireField({ input }, 'input', 'text or list')
  const messages: Message[] = []
  for (const [index, item] of readObjects(input, 'input', limits.messages).entries()) {
    if (item.type === 'reasoning') translation.drop(`input[${index}]`)
    translation.attempt(() => addItem(messages, item, `input[${index}].`, limits, translation), undefined)
  }
  if (messages.length === 0) refuse('input', 'input must hold at least one message.')
  return messages
}

function addItem(messages: Message[], item: Fields, path: string, limits: RequestLimits, translation: Translation): void {
  switch (item.type ?? 'message') {
    case 'message':
      messages.push(readMessage(item, path, limits, translation))
      break
    case 'function_call':
      addCall(messages, item, path)
      break
    case 'function_call_output':
      requireField(item, 'call_id', 'name', path)
      messages.push({ role: 'tool', tool_call_id: item.call_id, content: readOutput(item, path, limits, translation) })
      break
    case 'reasoning':
      // Only its author can read it, and chat completions have no field for it.
      break
    case 'item_reference':
      refuseUnsupported(`${path}type`, `${path}type item_reference is not supported: items are not stored. Send the item itself.`)
      break
    default:
      refuseUnsupported(`${path}type`, `${path}type must be message, function_call, function_call_output or reasoning.`)
  }
}

/** The output of a call; chat completions have no status for a failed or incomplete one. */
function readOutput(item: Fields, path: string, limits: RequestLimits, translation: Translation): ReturnType<typeof readContent> {
  const content = readContent(item.output, 'tool', `${path}output`, limits, translation)
  return hasSucceeded({ status: item.status }) ? content : asError(content)
}

function readMessage(item: Fields, path: string, limits: RequestLimits, translation: Translation): Message {
  if (!roles.includes(item.role)) refuse(`${path}role`, `${path}role must be user, assistant, system or developer.`)
  // More providers support `system` than `developer`, and it means the same.
  const role = item.role === 'developer' ? 'system' : String(item.role)
  return { role, content: readContent(item.content, role, `${path}content`, limits, translation) }
}

/** Calls of one turn are in one message, right before their outputs. */
function addCall(messages: Message[], item: Fields, path: string): void {
  requireField(item, 'call_id', 'name', path)
  requireField(item, 'name', 'name', path)
  requireField(item, 'arguments', 'text', path)
  const call = { id: item.call_id, type: 'function', function: { name: item.name, arguments: item.arguments } }
  const last = messages.at(-1)
  if (last?.role !== 'assistant') messages.push({ role: 'assistant', content: null, tool_calls: [call] })
  else if (Array.isArray(last.tool_calls)) last.tool_calls.push(call)
  else messages[messages.length - 1] = { ...last, tool_calls: [call] }
}

/** The content of a message in the shape of chat completions. */
function readContent(
  content: unknown,
  role: string,
  param: string,
  limits: RequestLimits,
  translation: Translation,
): string | readonly Fields[] {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return refuse(param, `${param} must be a string or an array of parts.`)
  if (content.length === 0) return ''
  const parts = readObjects(content, param, limits.parts).flatMap((part, index) =>
    translation.attempt(() => [readPart(part, `${param}[${index}].`)], []),
  )
  return joinParts(parts, role)
}

function readPart(part: Fields, path: string): Fields {
  switch (part.type) {
    case 'input_text':
    case 'output_text':
    case 'text':
      requireField(part, 'text', 'text', path)
      return { type: 'text', text: part.text }
    case 'refusal':
      requireField(part, 'refusal', 'text', path)
      return { type: 'refusal', refusal: part.refusal }
    case 'input_image':
      if (part.file_id) refuseUnsupported(`${path}file_id`, `${path}file_id is not supported: files are not stored. Send image_url.`)
      requireField(part, 'image_url', 'name', path)
      return { type: 'image_url', image_url: given({ url: part.image_url, detail: part.detail }) }
    case 'input_file':
      if (part.file_id) refuseUnsupported(`${path}file_id`, `${path}file_id is not supported: files are not stored. Send file_data.`)
      if (part.file_url) refuseUnsupported(`${path}file_url`, `${path}file_url is not supported. Send file_data.`)
      requireField(part, 'file_data', 'name', path)
      return { type: 'file', file: given({ filename: part.filename, file_data: part.file_data }) }
    case 'input_audio':
      requireField(part, 'input_audio', 'object', path)
      return { type: 'input_audio', input_audio: part.input_audio }
    default:
      return refuseUnsupported(
        `${path}type`,
        `${path}type must be input_text, output_text, refusal, input_image, input_file or input_audio.`,
      )
  }
}
