import type { Fields } from '../../../answer/tool-shapes/fields.ts'
import type { RequestLimits } from '../../request/limits.ts'
import { readObjects, refuse, refuseUnsupported, requireField } from '../../request/read-fields.ts'
import { joinParts } from '../../request/text-parts.ts'
import type { Translation } from '../../request/translation.ts'
import { given } from '../../shared/fields.ts'

/** The content of a message in the shape of chat completions. */
export function readContent(
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
