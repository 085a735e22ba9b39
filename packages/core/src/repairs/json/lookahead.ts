/** How far a key is looked for: longer ones are taken for text. */
const longestKey = 128

const keyAhead = /["'“”‘’]?[^"'“”‘’\n{}[\],:]{0,128}["'“”‘’]?\s{0,8}:/y
const quotedKeyAhead = /(["'“‘])[^"'“”‘’\n{}[\],]{0,128}["'”’]\s{0,8}:/y

/** What stands ahead in a buffer: yes, no, or more text is needed to tell. */
export type Ahead = boolean | 'more'

/** Tells whether a key with its colon starts at an offset; `quoted` when it must have quotes. */
export function isKeyAt(buffer: string, at: number, ended: boolean, quoted: boolean): Ahead {
  const pattern = quoted ? quotedKeyAhead : keyAhead
  pattern.lastIndex = at
  if (pattern.test(buffer)) return true
  return !ended && buffer.length - at < longestKey + 12 ? 'more' : false
}

/** The offset of the next character that is not white space; the buffer's length when there is none. */
export function skipSpace(buffer: string, from: number): number {
  let at = from
  while (isSpace(buffer.charCodeAt(at))) at++
  return at
}

/** Tells whether a character is white space in JSON. */
export function isSpace(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9
}
