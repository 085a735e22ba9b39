import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import { utf8Length } from '../../engine/tokens/estimate-tokens.ts'
import { parseJson } from '../../json/parse-json.ts'
import { replyExcess } from './parse-reply.ts'

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

/** Whether a value is empty: absent, `null` or an empty string. */
export function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

/** Whether a value is present and not a string: clients join it with texts, or execute it, in different ways. */
export function isOther(value: unknown): boolean {
  return typeof value !== 'string' && value !== undefined && value !== null
}

/** Whether one of these members has text, except one. */
export function saysIn(holder: Fields, names: readonly string[], except?: string): boolean {
  for (const name of names) if (name !== except && holder[name] !== undefined && saidBytes(holder[name]) > 0) return true
  return false
}

/** All texts in a value, in order. */
export function textsIn(value: unknown): readonly string[] {
  const texts: string[] = []
  const open = [value]
  while (open.length > 0) {
    const one = open.pop()
    if (typeof one === 'string') texts.push(one)
    else if (typeof one === 'object' && one !== null) for (const inner of Object.values(one).reverse()) open.push(inner)
  }
  return texts
}

/** Whether a parsed value agrees with its text, or is absent. */
export function isParsedFrom(value: unknown, text: unknown): boolean {
  if (value === undefined || value === null) return true
  const said = typeof text === 'string' && replyExcess(text) === undefined ? parseJson(text) : undefined
  try {
    return said !== undefined && JSON.stringify(said) === JSON.stringify(value)
  } catch {
    // Too deep to be written.
    return false
  }
}
