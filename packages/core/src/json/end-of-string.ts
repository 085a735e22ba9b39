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

const quote = 34
const backslash = 92
