/** A string that was read, with the offset after it. */
export interface ReadString {
  readonly value: string
  readonly end: number
}

const escapes = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['a', '\x07'],
  ['b', '\b'],
  ['f', '\f'],
  ['v', '\v'],
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
  ['\n', ''],
])

/** The longest escape, `\UXXXXXXXX`. */
const longestEscape = 10

/** Reads a Python string literal, plain or raw; undefined for bytes, formatted strings and what is none, `cut` where the text ends inside of one. */
export function readPythonString(text: string, start: number): ReadString | 'cut' | undefined {
  const prefix = /^[rRuU]?/.exec(text.slice(start, start + 1))?.[0] ?? ''
  const isRaw = prefix.toLowerCase() === 'r'
  const open = start + prefix.length
  const mark = text[open]
  if (mark !== '"' && mark !== "'") return undefined
  const quote = text.startsWith(mark.repeat(3), open) ? mark.repeat(3) : mark
  const pieces: string[] = []
  let at = open + quote.length
  while (at < text.length) {
    if (text.startsWith(quote, at)) return { value: pieces.join(''), end: at + quote.length }
    const char = text[at] as string
    // A string in single marks ends with its line.
    if (char === '\n' && quote.length === 1) return undefined
    const escaped = char === '\\' ? readEscape(text, at, isRaw) : undefined
    if (char === '\\' && escaped === undefined) return at + longestEscape > text.length ? 'cut' : undefined
    pieces.push(escaped?.value ?? char)
    at = escaped?.end ?? at + 1
  }
  return 'cut'
}

function readEscape(text: string, at: number, isRaw: boolean): ReadString | undefined {
  const next = text[at + 1]
  if (next === undefined) return undefined
  if (isRaw) return { value: `\\${next}`, end: at + 2 }
  const simple = escapes.get(next)
  if (simple !== undefined) return { value: simple, end: at + 2 }
  const coded = /^(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{1,3}))/.exec(text.slice(at + 1, at + 10))
  if (coded) {
    const [whole, x, u, long, octal] = coded
    const point = octal === undefined ? Number.parseInt(x ?? u ?? long ?? '', 16) : Number.parseInt(octal, 8)
    return point > 0x10ffff ? undefined : { value: String.fromCodePoint(point), end: at + 1 + whole.length }
  }
  // Names of characters need a table, and broken codes are errors in Python; other escapes stand for themselves.
  return 'xuUN'.includes(next) ? undefined : { value: `\\${next}`, end: at + 2 }
}
