import { HttpError } from '@stickler/core/internal'
import { isFields } from '@stickler/core/runners'

type Body = Readonly<Record<string, unknown>>

/** Text parts of all APIs, and those that are read as separate turns. */
const readable: ReadonlySet<string> = new Set(
  'text input_text output_text summary_text refusal thinking redacted_thinking tool_use tool_result'.split(' '),
)

/**
 * Rejects a body with a part that a text-only model would not see; named as the client wrote it,
 * before anything is started.
 */
export function refuseOtherParts(body: Body, model: string): void {
  for (const list of ['messages', 'input']) refuseIn(body[list], list, model)
}

function refuseIn(items: unknown, path: string, model: string): void {
  if (!Array.isArray(items)) return
  for (const [index, item] of items.entries()) {
    if (!isFields(item)) continue
    for (const name of ['content', 'output']) refuseParts(item[name], `${path}[${index}].${name}`, model)
  }
}

function refuseParts(parts: unknown, path: string, model: string): void {
  if (!Array.isArray(parts)) return
  for (const [index, part] of parts.entries()) {
    if (!isFields(part)) continue
    const at = `${path}[${index}]`
    const { type } = part
    if (typeof type === 'string' && !readable.has(type)) {
      const message = `${at} is of type ${JSON.stringify(type.slice(0, 40))}, but the model ${JSON.stringify(model)} reads only text.`
      throw new HttpError(400, message, { param: at, code: 'unsupported_content' })
    }
    // Tool results have their own parts, one level deep.
    if (type === 'tool_result') refuseParts(part.content, `${at}.content`, model)
  }
}
