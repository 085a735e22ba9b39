import { char, isCloser, isSpace } from '../characters.ts'

/** The index from which a text is nothing but closers that are missing, with white space before them; -1 when there are none. */
export function swallowedFrom(text: string, missing: string): number {
  let found = ''
  let first = text.length
  let at = text.length - 1
  for (; at >= 0 && found.length < missing.length; at--) {
    const code = text.charCodeAt(at)
    if (isSpace(code)) continue
    if (!isCloser(code)) break
    found = text[at] + found
    first = at
  }
  if (found === '' || !missing.startsWith(found) || isBalanced(text, found)) return -1
  while (first > 0 && isSpace(text.charCodeAt(first - 1))) first--
  return first
}

/** Whether the closers at the end belong to openers in the same text. */
function isBalanced(text: string, closers: string): boolean {
  let open = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === char.openBrace || code === char.openBracket) open++
    else if (isCloser(code) && at < text.length) open--
  }
  return open > -closers.length
}
