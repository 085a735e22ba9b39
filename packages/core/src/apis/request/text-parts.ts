import type { Fields } from '../../answer/tool-shapes/fields.ts'

/**
 * The content of parts: one text where equivalent, because not every provider takes parts
 * everywhere.
 */
export function joinParts(parts: readonly Fields[], role: string): string | readonly Fields[] {
  const [first] = parts
  if (parts.length === 1 && first && isPlain(first)) return String(first.text)
  // Output of a model or a tool is one text, however it was split.
  const isOneText = (role === 'assistant' || role === 'tool') && parts.every(isPlain)
  return isOneText ? parts.map(({ text }) => String(text)).join('') : parts
}

function isPlain(part: Fields): boolean {
  return part.type === 'text' && Object.keys(part).length === 2
}

/** The output of a failed tool, for APIs without an error flag. */
export function asError(content: string | readonly Fields[]): string | readonly Fields[] {
  return typeof content === 'string' ? `Error: ${content}` : [{ type: 'text', text: 'Error:' }, ...content]
}
