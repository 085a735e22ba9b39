import { isRecord } from './json.ts'

/** Members that are no words of the model, or that repeat what has been told as reasoning. */
const unsaid = new Set(['type', 'id', 'index', 'format', 'role', 'signature', 'thinking'])

/** UTF-8 bytes of all texts in a part of an answer. */
export function saidBytes(part: unknown): number {
  let bytes = 0
  const open: unknown[] = [part]
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value === 'string') bytes += Buffer.byteLength(value)
    else if (Array.isArray(value)) for (const item of value) open.push(item)
    else if (isRecord(value)) for (const name in value) if (!unsaid.has(name)) open.push(value[name])
  }
  return bytes
}
