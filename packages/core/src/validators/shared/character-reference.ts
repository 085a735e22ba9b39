/** Character references of HTML, such as `&colon;`, `&#58;` and `&#x3a`. */
export const references = /&(?:#[xX]([0-9a-fA-F]+)|#([0-9]+)|([a-zA-Z][a-zA-Z0-9]{1,31})(?=;));?/g

/** The names of ASCII characters, of spaces and hyphens and of invisible ones, as HTML writes them. */
const named: ReadonlyMap<string, string> = new Map(
  [
    ...'Tab:9 NewLine:a excl:21 quot:22 QUOT:22 num:23 dollar:24 percnt:25 amp:26 AMP:26 apos:27 lpar:28 rpar:29 ast:2a midast:2a'.split(
      ' ',
    ),
    ...'plus:2b comma:2c period:2e sol:2f colon:3a semi:3b lt:3c LT:3c equals:3d gt:3e GT:3e quest:3f commat:40 lsqb:5b'.split(' '),
    ...'lbrack:5b bsol:5c rsqb:5d rbrack:5d Hat:5e lowbar:5f UnderBar:5f grave:60 DiacriticalGrave:60 lcub:7b lbrace:7b'.split(' '),
    ...'verbar:7c vert:7c VerticalLine:7c rcub:7d rbrace:7d nbsp:a0 NonBreakingSpace:a0 shy:ad ZeroWidthSpace:200b NegativeVeryThinSpace:200b'.split(
      ' ',
    ),
    ...'NegativeThinSpace:200b NegativeMediumSpace:200b NegativeThickSpace:200b zwnj:200c zwj:200d lrm:200e rlm:200f'.split(' '),
    ...'thinsp:2009 ThinSpace:2009 numsp:2007 hyphen:2010 dash:2010 NoBreak:2060 ApplyFunction:2061 af:2061 InvisibleTimes:2062 it:2062 InvisibleComma:2063 ic:2063'.split(
      ' ',
    ),
  ].map((entry) => {
    const [name = '', code = ''] = entry.split(':')
    return [name, String.fromCharCode(Number.parseInt(code, 16))]
  }),
)

/** What a browser reads in place of a reference; undefined for names of other characters, and for any other text. */
export function readReference([, hex, decimal, name]: readonly (string | undefined)[]): string | undefined {
  if (name !== undefined) return named.get(name)
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
  return code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? '\ufffd' : String.fromCodePoint(code)
}

/** What CommonMark reads in place of it: with a semicolon, and of few digits. */
export function readMarkdownReference(match: readonly (string | undefined)[]): string | undefined {
  const [all = '', hex = '', decimal = ''] = match
  return all.endsWith(';') && hex.length <= 6 && decimal.length <= 7 ? readReference(match) : undefined
}

/** Escapes of Markdown: a backslash before punctuation. */
export const escapes = /\\([!-/:-@[-`{-~])/g
/** References and escapes, which CommonMark reads in one pass. */
// backtracks: one character decides between the two, and both are lists of characters
export const signs = new RegExp(`${references.source}|${escapes.source}`, 'g')

/** What CommonMark reads in place of a reference or an escape. */
export function readSign(match: readonly (string | undefined)[]): string | undefined {
  return match[4] ?? readMarkdownReference(match)
}
