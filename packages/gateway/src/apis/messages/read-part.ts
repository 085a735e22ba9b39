import { type Fields, given, isFields } from '../shared/fields.ts'
import { refuseUnsupported, requireField } from '../shared/read-fields.ts'
import type { MessagesOptions } from './messages-options.ts'

/** Whether a block holds what the model thought. */
export function isThought({ type }: Fields): boolean {
  return type === 'thinking' || type === 'redacted_thinking'
}

/** A block of content as a part of chat completions. */
export function readPart(block: Fields, path: string, { native }: MessagesOptions): Fields {
  const cache = native ? given({ cache_control: block.cache_control }) : {}
  switch (block.type) {
    case 'text':
      requireField(block, 'text', 'text', path)
      return { type: 'text', text: block.text, ...cache }
    case 'image':
      return { type: 'image_url', image_url: { url: imageUrl(source(block, path), `${path}source.`) }, ...cache }
    case 'document':
      return { ...document(block, source(block, path), `${path}source.`), ...cache }
    default:
      return refuseUnsupported(`${path}type`, `${path}type must be text, image, document or tool_result.`)
  }
}

function source(block: Fields, path: string): Fields {
  requireField(block, 'source', 'object', path)
  return isFields(block.source) ? block.source : {}
}

function imageUrl(source: Fields, path: string): unknown {
  if (source.type === 'base64') return dataUrl(source, path)
  if (source.type !== 'url') refuseUnsupported(`${path}type`, `${path}type must be base64 or url: files are not kept.`)
  requireField(source, 'url', 'name', path)
  return source.url
}

function document(block: Fields, source: Fields, path: string): Fields {
  if (source.type === 'text') {
    requireField(source, 'data', 'text', path)
    return { type: 'text', text: source.data }
  }
  if (source.type !== 'base64') refuseUnsupported(`${path}type`, `${path}type must be base64 or text: files are neither kept nor fetched.`)
  const filename = typeof block.title === 'string' && block.title !== '' ? block.title : 'document.pdf'
  return { type: 'file', file: { filename, file_data: dataUrl(source, path) } }
}

function dataUrl(source: Fields, path: string): string {
  requireField(source, 'media_type', 'name', path)
  requireField(source, 'data', 'text', path)
  return `data:${source.media_type};base64,${source.data}`
}
