import { isFields } from '../../answer/tool-shapes/fields.ts'
import { needRoom } from '../shared/parse-reply.ts'

/** Fields that are repeated in every piece and not continued. */
const constant = new Set(['id', 'type', 'role', 'format', 'name', 'object', 'model', 'index', 'mime_type', 'url'])

/** Beyond it, what comes replaces what was there: nothing of use is that deep. */
const maxDepth = 16

/** Adds the fields of a delta to those that came before: texts are continued, lists get longer, other values are replaced. */
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

/** A copy down to the leaves: what is merged here changes when more comes, and what was received is still to be sent. */
function copied(value: unknown, depth: number): unknown {
  if (depth >= maxDepth) return value
  if (Array.isArray(value)) return value.map((item) => copied(item, depth + 1))
  if (!isFields(value)) return value
  const copy: Record<string, unknown> = {}
  mergeDelta(copy, value, depth + 1)
  return copy
}

/** Items that bear the same index as the last one are its continuation, as in the `reasoning_details` of OpenRouter. */
function addItem(list: unknown[], item: unknown, depth: number): void {
  const last = list.at(-1)
  const continues =
    isFields(last) && isFields(item) && typeof item.index === 'number' && last.index === item.index && last.type === item.type
  if (continues && depth < maxDepth) mergeDelta(last, item, depth + 1)
  else list.push(copied(item, depth))
}
