import type { Fields } from './fields.ts'

/** The content that parts make: one text where that says the same, because not every provider takes parts everywhere. */
export function joinParts(parts: readonly Fields[], role: string): string | readonly Fields[] {
  const [first] = parts
  if (parts.length === 1 && first && isPlain(first)) return String(first.text)
  // What a model or a tool said is one text, however it was cut.
  const isOneText = (role === 'assistant' || role === 'tool') && parts.every(isPlain)
  return isOneText ? parts.map(({ text }) => String(text)).join('') : parts
}

function isPlain(part: Fields): boolean {
  return part.type === 'text' && Object.keys(part).length === 2
}
