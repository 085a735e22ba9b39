import { jsonNumber } from '@stickler/core/internal'
import { quoted } from '../quoted.ts'

/** A word or number that was read, where it ends, and what is wrong with it. */
interface Word {
  /** Where it starts when there is nothing that could be read. */
  readonly end: number
  readonly message?: string
  readonly suggestion?: string
}

const words: ReadonlySet<string> = new Set(['true', 'false', 'null'])
/** What other languages write, and what JSON has for it. */
const foreign: ReadonlyMap<string, string> = new Map([
  ['True', 'true'],
  ['TRUE', 'true'],
  ['False', 'false'],
  ['FALSE', 'false'],
  ['None', 'null'],
  ['nil', 'null'],
  ['NULL', 'null'],
  ['Null', 'null'],
  ['undefined', 'null'],
])

/** Longer words are never right. */
const longest = 400

/** Reads a value that is not quoted, or a key that should be. */
export function readWord(source: string, start: number, role: 'key' | 'value'): Word {
  const text = wordAt(source, start)
  const end = start + text.length
  if (text === '') return unreadable(source, start)
  if (role === 'key') {
    if (text.startsWith('...')) return { end: start, message: 'Replace the `...` with the real content: JSON has no placeholders.' }
    return { end, message: `Put the key ${quoted(text)} in double quotes.`, ...suggest(text) }
  }
  if (words.has(text)) return { end }
  const known = foreign.get(text)
  if (known !== undefined) return { end, message: `Write \`${known}\` for \`${text}\`.`, suggestion: known }
  if (/^[+-]?(?:NaN|Infinity|inf|nan)$/.test(text))
    return { end, message: `Write a number, null or a string for \`${text}\`: JSON does not have it.` }
  if (/^[+-]?\.?\d/.test(text) || text.startsWith('-'))
    return text.length < longest && jsonNumber.test(text) ? { end } : readBadNumber(source, start, text)
  if (text.startsWith('...')) return { end, message: 'Replace the `...` with the real content: JSON has no placeholders.' }
  return { end, message: `Put the text ${quoted(text)} in double quotes, or write a JSON value.`, ...suggest(text) }
}

/** Numbers of any length are right; only the others need the reason. */
function readBadNumber(source: string, start: number, text: string): Word {
  const whole = /^-?\d*/.exec(text)?.[0] ?? ''
  if (text.length >= longest) {
    const long = longNumber.exec(source.slice(start))?.[0] ?? ''
    if (jsonNumber.test(long)) return { end: start + long.length }
  }
  const end = start + text.length
  if (text.startsWith('+')) return { end, message: 'Write the number without `+`.', suggestion: text.slice(1) }
  if (/^-?0\d/.test(whole)) return { end, message: 'Write the number without leading zeros.' }
  if (/^-?\./.test(text)) return { end, message: 'Write a digit before the decimal point.' }
  if (/\.(?!\d)/.test(text)) return { end, message: 'Write a digit after the decimal point.' }
  if (/[eE][+-]?$/.test(text)) return { end, message: 'Write a digit after the exponent sign.' }
  return { end, message: `Write ${quoted(text)} as a JSON number, or put it in double quotes.` }
}

const longNumber = /^[-+.\deE]+/

function suggest(text: string): { readonly suggestion?: string } {
  return /^[\w-]{1,40}$/.test(text) ? { suggestion: `"${text}"` } : {}
}

/** Letters, digits and what numbers are made of. */
function wordAt(source: string, start: number): string {
  let end = start
  while (end < source.length && end - start < longest && isWordCharacter(source.charCodeAt(end))) end++
  return source.slice(start, end)
}

function isWordCharacter(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) || // 0-9
    (code >= 0x41 && code <= 0x5a) || // A-Z
    (code >= 0x61 && code <= 0x7a) || // a-z
    code === 0x5f || // _
    code === 0x24 || // $
    code === 0x2b || // +
    code === 0x2d || // -
    code === 0x2e || // .
    // Letters of other scripts, but no quotes and no spaces.
    (code >= 0xc0 && code < 0x2000) ||
    (code >= 0x3040 && code < 0xfe00)
  )
}

function unreadable(source: string, start: number): Word {
  const char = String.fromCodePoint(source.codePointAt(start) ?? 0)
  if (char === '\ufeff') return { end: start, message: 'Remove the byte order mark: JSON does not allow one.' }
  if (char === '…') return { end: start + 1, message: 'Replace the `…` with the real content: JSON has no placeholders.' }
  if (char === '#') return { end: start, message: 'Remove the comment: JSON has none.' }
  return { end: start, message: `Write a JSON value here; ${quoted(char)} cannot start one.` }
}
