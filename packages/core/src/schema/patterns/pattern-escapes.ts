/** An escape that was read: as the native engine takes it in unicode mode, usable in a class when it is a set or a character. */
export interface Escape {
  readonly kind: 'set' | 'character' | 'assertion'
  readonly text: string
  /** Offset after it. */
  readonly end: number
}

const controls: Readonly<Record<string, string>> = { t: '\\t', n: '\\n', r: '\\r', f: '\\f', v: '\\v' }

/** Reads the ECMA-262 escape whose backslash is at `at`; a string is the reason why it cannot be used. */
export function readEscape(source: string, at: number, inClass: boolean): Escape | string {
  const letter = source[at + 1]
  const end = at + 2
  if (letter === undefined) return 'it ends with a backslash'
  if ('dDwWsS'.includes(letter)) return { kind: 'set', text: `\\${letter}`, end }
  if (letter === 'b' && inClass) return character(8, end)
  if ('bB'.includes(letter)) return { kind: 'assertion', text: `\\${letter}`, end }
  const control = controls[letter]
  if (control !== undefined) return { kind: 'character', text: control, end }
  if (letter === 'c' && /[A-Za-z]/.test(source[end] ?? '')) return character(source.charCodeAt(end) % 32, end + 1)
  if (letter === 'p' || letter === 'P') return readProperty(source, at)
  if (letter === '0' && !/\d/.test(source[end] ?? '')) return character(0, end)
  if (/[0-9k]/.test(letter)) return 'a back-reference cannot run in linear time'
  if (letter === 'x' || letter === 'u') return readCodePoint(source, at)
  return /[A-Za-z]/.test(letter) ? `\\${letter} is not an escape` : literal(source.codePointAt(at + 1) ?? 0, at + 1)
}

/** A code point as an escape. */
export function character(code: number, end: number): Escape {
  return { kind: 'character', text: `\\u{${code.toString(16)}}`, end }
}

function literal(code: number, at: number): Escape {
  return character(code, at + (code > 0xffff ? 2 : 1))
}

function readCodePoint(source: string, at: number): Escape | string {
  const [whole = '', first, second, braced] =
    /^\\(?:u([\da-fA-F]{4})(?:\\u([dD][c-fC-F][\da-fA-F]{2}))?|u\{([\da-fA-F]{1,6})\})/.exec(source.slice(at, at + 14)) ?? []
  if (braced !== undefined)
    return Number.parseInt(braced, 16) > 0x10ffff ? 'no such character' : character(Number.parseInt(braced, 16), at + whole.length)
  if (first !== undefined) {
    const high = Number.parseInt(first, 16)
    if (second === undefined || high < 0xd800 || high > 0xdbff) return character(high, at + 6)
    return character(0x10000 + ((high - 0xd800) << 10) + (Number.parseInt(second, 16) - 0xdc00), at + whole.length)
  }
  const hex = /^\\x([\da-fA-F]{2})/.exec(source.slice(at, at + 4))?.[1]
  return hex === undefined ? `\\${source[at + 1]} lacks its digits` : character(Number.parseInt(hex, 16), at + 4)
}

function readProperty(source: string, at: number): Escape | string {
  const [whole, sign, name] = /^\\([pP])\{((?:\w+=)?\w+)\}/.exec(source.slice(at, at + 80)) ?? []
  if (whole === undefined || name === undefined) return `${source.slice(at, at + 12)} is not a property of characters`
  const text = [name, `Script=${name}`].map((one) => `\\${sign}{${one}}`).find(isNative)
  return text === undefined ? `${whole} is not a property of characters` : { kind: 'set', text, end: at + whole.length }
}

function isNative(source: string): boolean {
  try {
    // backtracks: it is only compiled
    return new RegExp(source, 'u') instanceof RegExp
  } catch {
    return false
  }
}
