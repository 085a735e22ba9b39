import { isFields } from '../../answer/tool-shapes/fields.ts'
import { needRoom } from '../shared/parse-reply.ts'

/** Fields that every piece repeats instead of continuing them. */
const constant = new Set(['id', 'type', 'role', 'format', 'name', 'object', 'model', 'index', 'mime_type', 'url'])

/** Below this depth new values replace old ones: no real answer is nested that deeply. */
const maxDepth = 16

/** Merges the fields of a delta with earlier ones: texts are concatenated, lists are extended, other values are replaced. */
export function mergeDelta(target: Record<string, unknown>, delta: Readonly<Record<string, unknown>>, depth = 0): void {
  for (const [key, value] of Object.entries(delta)) {
    if (key === '__proto__' || value === null || value === undefined) continue
    target[key] = merged(target[key], value, key, depth)
  }
}

function merged(before: unknown, value: unknown, key: string, depth: number): unknown {
  if (typeof before === 'string' && typeof value === 'string') return constant.has(key) ? before || value : before + value
  if (Array.isArray(before) && Array.isArray(value)) {
    for (const item of value) addItem(before, item, depth)
    needRoom(before.length)
    return before
  }
  if (depth < maxDepth && isFields(before) && isFields(value)) {
    mergeDelta(before, value, depth + 1)
    return before
  }
  return copied(value, depth)
}

/** A deep copy: merged values change when more arrives, and the received ones are still to be sent. */
function copied(value: unknown, depth: number): unknown {
  if (depth >= maxDepth) return value
  if (Array.isArray(value)) return value.map((item) => copied(item, depth + 1))
  if (!isFields(value)) return value
  const copy: Record<string, unknown> = {}
  mergeDelta(copy, value, depth + 1)
  return copy
}

/** An item with the index of the last one continues it, as in the `reasoning_details` of OpenRouter. */
function addItem(list: unknown[], item: unknown, depth: number): void {
  const last = list.at(-1)
  const continues =
    isFields(last) && isFields(item) && typeof item.index === 'number' && last.index === item.index && last.type === item.type
  if (continues && depth < maxDepth) mergeDelta(last, item, depth + 1)
  else list.push(copied(item, depth))
}
