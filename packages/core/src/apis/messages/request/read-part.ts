import { type Fields, isFields } from '../../../answer/tool-shapes/fields.ts'
import type { RequestLimits } from '../../request/limits.ts'
import { refuseUnsupported, requireField } from '../../request/read-fields.ts'
import type { Translation } from '../../request/translation.ts'
import { given } from '../../shared/selected-fields.ts'

/** Whether a block holds reasoning. */
export function isThought({ type }: Fields): boolean {
  return type === 'thinking' || type === 'redacted_thinking'
}

/**
 * The fields of a block that are translated; cache breakpoints are kept for upstreams that support
 * them.
 */
export function translatedFields({ native }: MessagesReading, ...names: readonly string[]): ReadonlySet<string> {
  return new Set(native ? ['type', 'cache_control', ...names] : ['type', ...names])
}

/** Cache breakpoints, for upstreams that support them. */
export function cacheOf(block: Fields, { native }: MessagesReading): Fields {
  return native ? given({ cache_control: block.cache_control }) : {}
}

/** A content block as a part of chat completions. */
export function readPart(block: Fields, path: string, reading: MessagesReading): Fields {
  const cache = cacheOf(block, reading)
  switch (block.type) {
    case 'text':
      requireField(block, 'text', 'text', path)
      reading.translation.dropOthers(block, translatedFields(reading, 'text'), path)
      return { type: 'text', text: block.text, ...cache }
    case 'image':
      reading.translation.dropOthers(block, translatedFields(reading, 'source'), path)
      return { type: 'image_url', image_url: { url: imageUrl(source(block, path), `${path}source.`, reading) }, ...cache }
    case 'document':
      return { ...document(block, source(block, path), path, reading), ...cache }
    default:
      return refuseUnsupported(`${path}type`, `${path}type must be text, image, document or tool_result.`)
  }
}

function source(block: Fields, path: string): Fields {
  requireField(block, 'source', 'object', path)
  return isFields(block.source) ? block.source : {}
}

const fieldsOfUrl = new Set(['type', 'url'])
const fieldsOfData = new Set(['type', 'media_type', 'data'])

function imageUrl(source: Fields, path: string, reading: MessagesReading): unknown {
  if (source.type === 'base64') return dataUrl(source, path, reading)
  if (source.type !== 'url') refuseUnsupported(`${path}type`, `${path}type must be base64 or url: files are not stored.`)
  requireField(source, 'url', 'name', path)
  reading.translation.dropOthers(source, fieldsOfUrl, path)
  return source.url
}

function document(block: Fields, source: Fields, path: string, reading: MessagesReading): Fields {
  const { citations, title } = block
  if (isFields(citations) && citations.enabled === true)
    refuseUnsupported(`${path}citations`, `${path}citations cannot be translated: the upstream of this model does not cite documents.`)
  const inSource = `${path}source.`
  if (source.type === 'text') {
    requireField(source, 'data', 'text', inSource)
    reading.translation.dropOthers(block, translatedFields(reading, 'source'), path)
    reading.translation.dropOthers(source, fieldsOfData, inSource)
    return { type: 'text', text: source.data }
  }
  if (source.type !== 'base64')
    refuseUnsupported(`${inSource}type`, `${inSource}type must be base64 or text: files are neither stored nor fetched.`)
  reading.translation.dropOthers(block, translatedFields(reading, 'source', 'title'), path)
  const filename = typeof title === 'string' && title !== '' ? title : 'document.pdf'
  return { type: 'file', file: { filename, file_data: dataUrl(source, inSource, reading) } }
}

function dataUrl(source: Fields, path: string, reading: MessagesReading): string {
  requireField(source, 'media_type', 'name', path)
  requireField(source, 'data', 'text', path)
  reading.translation.dropOthers(source, fieldsOfData, path)
  return `data:${source.media_type};base64,${source.data}`
}

/** How requests of the Messages API are read. */
export interface MessagesOptions extends RequestLimits {
  /**
   * Keeps what only upstreams of this API support: `thinking`, `cache_control`, `is_error`, and
   * thinking blocks as `thinking_blocks` of a message. Without it thinking becomes
   * `reasoning_effort`, and the rest is dropped, since other providers reject it.
   */
  readonly native: boolean
}

/** One request being read, and its untranslatable fields. */
export interface MessagesReading extends MessagesOptions {
  readonly translation: Translation
}
