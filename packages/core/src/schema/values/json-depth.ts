const quote = 0x22
const backslash = 0x5c

/** Whether brackets and braces are nested more than `limit` deep in a JSON text, in one pass, before anything recursive sees it. */
export function isDeeperThan(text: string, limit: number): boolean {
  if (text.length <= limit) return false
  let depth = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === quote) {
      index = endOfString(text, index + 1)
    } else if (code === 0x7b || code === 0x5b) {
      if (++depth > limit) return true
    } else if (code === 0x7d || code === 0x5d) {
      depth--
    }
  }
  return false
}

/** Where the closing quote is, or the end of the text. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start)
  while (end !== -1 && isEscaped(text, start, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

function isEscaped(text: string, start: number, at: number): boolean {
  let before = at - 1
  while (before >= start && text.charCodeAt(before) === backslash) before--
  return (at - 1 - before) % 2 === 1
}
