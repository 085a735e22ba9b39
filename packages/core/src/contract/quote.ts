import { isHighSurrogate } from '../answer/characters.ts'
import { quoteJson } from '../schema/evaluate/show.ts'

/** Longer pieces of model text are clamped in messages. */
const longest = 80

/** Fences a piece of model text for a message: one line, clamped, in quotes unless it is a plain word or path. */
export function quote(modelText: string): string {
  const clamped = clamp(modelText, longest)
  return /^[\w./-]{1,80}$/.test(clamped) ? clamped : quoteJson(clamped)
}

/** Cuts a text to at most `limit` UTF-16 units without splitting a character, and marks the cut. */
export function clamp(text: string, limit: number): string {
  if (text.length <= limit) return text
  const end = isHighSurrogate(text.charCodeAt(limit - 2)) ? limit - 2 : limit - 1
  return `${text.slice(0, end)}…`
}
