import type { TextSpan } from '../../../answer/span.ts'

/** A value inside a list or an object of a text that is known to be JSON. */
export interface JsonPart extends TextSpan {
  /** Its key, inside an object. */
  readonly key?: string
}

/** The parts of the list or object that starts at an offset; none when something else does. Later keys win, as in JSON.parse. */
export function partsAt(text: string, start: number): JsonPart[] {
  const closer = text[start] === '{' ? '}' : text[start] === '[' ? ']' : undefined
  if (closer === undefined) return []
  const parts: JsonPart[] = []
  let at = skipSpace(text, start + 1)
  while (at < text.length && text[at] !== closer) {
    let key: string | undefined
    if (closer === '}') {
      const end = skipValue(text, at)
      key = JSON.parse(text.slice(at, end))
      at = skipSpace(text, skipSpace(text, end) + 1)
    }
    const end = skipValue(text, at)
    parts.push({ start: at, end, ...(key === undefined ? {} : { key }) })
    at = skipSpace(text, end)
    if (text[at] === ',') at = skipSpace(text, at + 1)
  }
  return parts
}

/** The part under a key. */
export function partUnder(parts: readonly JsonPart[], ...keys: readonly string[]): JsonPart | undefined {
  for (const key of keys) {
    const part = parts.findLast((one) => one.key === key)
    if (part) return part
  }
  return undefined
}

/** Where white space ends. */
export function skipSpace(text: string, start: number): number {
  let at = start
  while (at < text.length && (text[at] as string).trim() === '') at++
  return at
}

function skipValue(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const char = text[at] as string
    if (char === '"') {
      for (at++; text[at] !== '"' && at < text.length; at++) if (text[at] === '\\') at++
      if (depth === 0) return at + 1
    } else if (char === '{' || char === '[') depth++
    else if (char === '}' || char === ']') {
      if (depth === 0) return at
      if (--depth === 0) return at + 1
    } else if (depth === 0 && (char === ',' || char.trim() === '')) return at
  }
  return text.length
}
