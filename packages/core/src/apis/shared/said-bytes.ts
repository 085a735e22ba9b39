import { isFields } from '../../answer/tool-shapes/fields.ts'
import { utf8Length } from '../../engine/tokens/estimate-tokens.ts'

/** Members that are not model output, or that repeat reasoning that was already counted. */
const unsaid = new Set(['type', 'id', 'index', 'format', 'role', 'signature', 'thinking'])

/** UTF-8 bytes of all texts in a part of an answer. */
export function saidBytes(part: unknown): number {
  let bytes = 0
  const open: unknown[] = [part]
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value === 'string') bytes += utf8Length(value)
    else if (Array.isArray(value)) for (const item of value) open.push(item)
    else if (isFields(value)) for (const name in value) if (!unsaid.has(name)) open.push(value[name])
  }
  return bytes
}
