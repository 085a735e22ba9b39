/** Longer pieces of model text are clamped in messages. */
const longest = 80

/** Fences a piece of model text for a message: one line, clamped, in quotes unless it is a plain word or path. */
export function quote(modelText: string): string {
  const clamped = clamp(modelText, longest)
  return /^[\w./-]{1,80}$/.test(clamped)
    ? clamped
    : JSON.stringify(clamped).replace(/[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, escapeUnit)
}

/** Cuts a text to at most `limit` UTF-16 units without splitting a character, and marks the cut. */
export function clamp(text: string, limit: number): string {
  if (text.length <= limit) return text
  const end = isHighSurrogate(text.charCodeAt(limit - 2)) ? limit - 2 : limit - 1
  return `${text.slice(0, end)}…`
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}
