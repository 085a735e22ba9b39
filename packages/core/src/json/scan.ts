/** So many characters are looked at one by one: a search costs more than most strings are long. */
const near = 48

/**
 * Where the quote is that ends a string whose first character is at `from`; `end` when there is none before it. By JSON's own rules, also
 * in texts that are not JSON.
 */
export function endOfString(text: string, from: number, end = text.length): number {
  let at = from
  // A search for what is beyond `end` would not be linear.
  for (const last = end < text.length ? end : Math.min(end, from + near); at < last; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) return at
    if (code === backslash) at++
  }
  while (at < end) {
    const found = text.indexOf('"', at)
    if (found < 0) return end
    let before = found
    while (before > at && text.charCodeAt(before - 1) === backslash) before--
    if ((found - before) % 2 === 0) return found
    at = found + 1
  }
  return end
}

/** A number of JSON, and nothing else. */
export const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** A number of JSON at an offset. */
export const numberAt = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

/** The length of the escape at a backslash; 0 where JSON has none like it, and -1 where the text ends within it. */
export function escapeLength(text: string, at: number): number {
  const escaped = text.slice(at + 1, at + 6)
  if (/^(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.test(escaped)) return escaped[0] === 'u' ? 6 : 2
  return at + 1 + escaped.length === text.length && /^(?:u[0-9a-fA-F]{0,3})?$/.test(escaped) ? -1 : 0
}

/** Where white space of JSON ends. */
export function skipSpace(json: string, from: number): number {
  let at = from
  while (isSpace(json.charCodeAt(at))) at++
  return at
}

/** Whether a character is white space of JSON. */
export function isSpace(code: number): boolean {
  return code <= 32 && (code === 32 || code === 10 || code === 13 || code === 9)
}

const quote = 34
const backslash = 92
