import { escapeLength } from '../../../json/scan.ts'
import { isQuote } from '../characters.ts'

/** What an escape means, how many characters it has, and how JSON writes it when it is invalid. */
export interface Escape {
  readonly length: number
  readonly text: string
  readonly written?: string
}

const known: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

/** Reads the escape whose backslash is at `at`; `more` when the text is too short to decide. */
export function readEscape(source: string, at: number): Escape | 'more' {
  const length = escapeLength(source, at)
  if (length < 0) return 'more'
  const next = source.charAt(at + 1)
  if (length === 2) return { length, text: known[next] ?? next }
  if (length === 6) return { length, text: String.fromCharCode(Number.parseInt(source.slice(at + 2, at + 6), 16)) }
  if (next === 'x') return readHexadecimal(source, at)
  const code = next.charCodeAt(0)
  // repair: a quote that needs no escape
  if (isQuote(code)) return { length: 2, text: next, written: next }
  // repair: a backslash at the end of a line
  if (code < 32) return { length: 1, text: '', written: '' }
  // repair: a backslash that escapes nothing is text, as in patterns, paths and formulas
  return { length: 1, text: '\\', written: '\\\\' }
}

/** repair: hexadecimal escapes of Python and JavaScript */
function readHexadecimal(source: string, at: number): Escape | 'more' {
  const digits = source.slice(at + 2, at + 4)
  if (/^[0-9a-fA-F]{2}$/.test(digits)) {
    return { length: 4, text: String.fromCharCode(Number.parseInt(digits, 16)), written: `\\u00${digits}` }
  }
  if (digits.length < 2 && /^[0-9a-fA-F]*$/.test(digits)) return 'more'
  return { length: 1, text: '\\', written: '\\\\' }
}
