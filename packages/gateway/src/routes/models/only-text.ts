import { type Api, HttpError, type RequestTexts } from '@stickler/core/internal'
import { isFields } from '@stickler/core/runners'

type Body = Readonly<Record<string, unknown>>

/**
 * Rejects a body with a part that a text-only model would not see; named as the client wrote it,
 * before anything is started.
 */
export function refuseOtherParts(body: Body, model: string, { texts }: Pick<Api, 'texts'>): void {
  if (texts === undefined) return
  for (const list of texts.lists) {
    const items = body[list]
    if (!Array.isArray(items)) continue
    for (const [index, item] of items.entries()) {
      if (isFields(item)) for (const name of texts.parts) refuseParts(item[name], `${list}[${index}].${name}`, model, texts)
    }
  }
}

function refuseParts(parts: unknown, path: string, model: string, texts: RequestTexts): void {
  if (!Array.isArray(parts)) return
  for (const [index, part] of parts.entries()) {
    if (!isFields(part)) continue
    const at = `${path}[${index}]`
    const { type } = part
    if (typeof type === 'string' && !texts.readable.has(type)) {
      const message = `${at} is of type ${JSON.stringify(type.slice(0, 40))}, but the model ${JSON.stringify(model)} reads only text.`
      throw new HttpError(400, message, { param: at, code: 'unsupported_content' })
    }
    // Tool results have their own parts, one level deep.
    if (type === 'tool_result') refuseParts(part.content, `${at}.content`, model, texts)
  }
}
