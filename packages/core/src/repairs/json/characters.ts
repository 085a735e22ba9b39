import { isDigit } from '../../answer/characters.ts'
/** The characters that JSON and its misspellings are made of. */
export const char = {
  tab: 9,
  newline: 10,
  return: 13,
  space: 32,
  quote: 34,
  hash: 35,
  apostrophe: 39,
  openParen: 40,
  closeParen: 41,
  plus: 43,
  comma: 44,
  minus: 45,
  dot: 46,
  slash: 47,
  colon: 58,
  semicolon: 59,
  equals: 61,
  openBracket: 91,
  backslash: 92,
  closeBracket: 93,
  backtick: 96,
  openBrace: 123,
  closeBrace: 125,
  ellipsis: 0x2026,
} as const

/** Whether a character looks like white space but is not in JSON. */
export function isOddSpace(code: number): boolean {
  return code === 0xa0 || code === 0xfeff || code === 0x3000 || code === 0x202f || code === 0x205f || code === 0x2060 || isTypographic(code)
}

function isTypographic(code: number): boolean {
  return (code >= 0x2000 && code <= 0x200b) || code === 0x2028 || code === 0x2029 || code === 11 || code === 12 || code === 0x85
}

/** Whether a character is used to open or close a string. */
export function isQuote(code: number): boolean {
  return code === 34 || code === 39 || code === 96 || code === 0xb4 || (code >= 0x2018 && code <= 0x201f && code !== 0x201a)
}

/** Whether a character can close a string that `opener` opened. */
export function closesWith(opener: number, code: number): boolean {
  if (opener === 34 || opener === 39 || opener === 96) return code === opener
  const single = opener === 0xb4 || opener === 0x2018 || opener === 0x2019 || opener === 0x201b
  if (single) return code === 39 || code === 0xb4 || code === 0x2018 || code === 0x2019 || code === 0x201b
  return code === 34 || (code >= 0x201c && code <= 0x201f)
}

/** Whether a character is one of `}` and `]`. */
export function isCloser(code: number): boolean {
  return code === 125 || code === 93
}

/** Whether a character belongs to a word of letters, digits, `_` and `$`. */
export function isWord(code: number): boolean {
  return (
    isDigit(code) ||
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    code === 95 ||
    code === 36 ||
    (code > 191 && !isOddSpace(code) && !isQuote(code))
  )
}
