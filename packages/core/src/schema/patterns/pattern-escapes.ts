/** What ECMA-262 calls white space, as ranges of an RE2 class, and everything else. */
export const spaces = '\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}'

/** What ECMA-262 does not call white space. */
export const noSpaces =
  '\\x{0}-\\x{8}\\x{e}-\\x{1f}!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}' +
  '\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}'

/** An escape that was read: RE2 syntax, usable in a class when it is a set or a character. */
export interface Escape {
  readonly kind: 'set' | 'character' | 'assertion'
  readonly text: string
  /** Offset after it. */
  readonly end: number
}

const controls: Readonly<Record<string, string>> = { t: '\\t', n: '\\n', r: '\\r', f: '\\f', v: '\\v' }

/** Reads the ECMA-262 escape whose backslash stands at `at`; a string is the reason why it cannot be used. */
export function readEscape(source: string, at: number, inClass: boolean): Escape | string {
  const letter = source[at + 1]
  const end = at + 2
  if (letter === undefined) return 'it ends with a backslash'
  if (letter === 's') return { kind: 'set', text: inClass ? spaces : `[${spaces}]`, end }
  if (letter === 'S') return { kind: 'set', text: inClass ? noSpaces : `[${noSpaces}]`, end }
  if ('dDwW'.includes(letter)) return { kind: 'set', text: `\\${letter}`, end }
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

/** A code point as an RE2 literal. */
export function character(code: number, end: number): Escape {
  return { kind: 'character', text: `\\x{${code.toString(16)}}`, end }
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

/** Long names of general categories; RE2 knows the short ones. */
const categories: ReadonlyMap<string, string> = new Map(
  (
    'Letter L,Cased_Letter LC,Uppercase_Letter Lu,Lowercase_Letter Ll,Titlecase_Letter Lt,Modifier_Letter Lm,Other_Letter Lo,' +
    'Mark M,Combining_Mark M,Nonspacing_Mark Mn,Spacing_Mark Mc,Enclosing_Mark Me,Number N,Decimal_Number Nd,digit Nd,Letter_Number Nl,' +
    'Other_Number No,Symbol S,Math_Symbol Sm,Currency_Symbol Sc,Modifier_Symbol Sk,Other_Symbol So,Punctuation P,punct P,' +
    'Connector_Punctuation Pc,Dash_Punctuation Pd,Open_Punctuation Ps,Close_Punctuation Pe,Initial_Punctuation Pi,Final_Punctuation Pf,' +
    'Other_Punctuation Po,Separator Z,Space_Separator Zs,Line_Separator Zl,Paragraph_Separator Zp,Other C,Control Cc,cntrl Cc,Format Cf,' +
    'Surrogate Cs,Private_Use Co'
  )
    .split(',')
    .map((pair) => pair.split(' ') as [string, string]),
)

function readProperty(source: string, at: number): Escape | string {
  const [whole, sign, name] =
    /^\\([pP])\{(?:(?:Script|sc|Script_Extensions|scx|General_Category|gc)=)?(\w+)\}/.exec(source.slice(at, at + 80)) ?? []
  if (whole === undefined || name === undefined) return `${source.slice(at, at + 12)} is not a property of characters`
  return { kind: 'set', text: `\\${sign}{${categories.get(name) ?? name}}`, end: at + whole.length }
}
