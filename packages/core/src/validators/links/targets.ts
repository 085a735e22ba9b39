import type { TextSpan } from '../../answer/span.ts'

/** A place that a link or an image leads to. */
export interface LinkTarget {
  readonly span: TextSpan
  /** The address as a browser would read it. */
  readonly address: string
  /** Whether another link may begin inside of it, so that nobody can tell where it leads. */
  readonly isSplit: boolean
}

/** The attributes of HTML that hold an address. */
export const attributes = 'href|src|srcset|action|formaction|poster|data|background|cite|ping|manifest|longdesc'
const attribute = `\\b(?:${attributes})\\s*=\\s*`

/** Whatever some renderer may read as the address of a link: more rather than less. */
const places: readonly RegExp[] = [
  // Links and images, and definitions.
  /\](?:\(|:)\s*<(?=([^<>\n]*))/dg,
  /\](?:\(|:)\s*((?!\][(:])[^\s<](?:(?!\][(:])\S)*)/dg,
  // Addresses in angle brackets.
  /<([a-z][a-z0-9+.-]{1,31}:[^<>\s]*)/dgi,
  // backtracks: from one attribute it reads only what stands before the next quotation mark
  new RegExp(`${attribute}"(?=([^"]*))`, 'dgi'),
  // backtracks: from one attribute it reads only what stands before the next quotation mark
  new RegExp(`${attribute}'(?=([^']*))`, 'dgi'),
  // backtracks: over the white space around one equals sign
  new RegExp(`${attribute}([^\\s"'<>][^\\s<>]*)`, 'dgi'),
  // Bare addresses.
  // backtracks: at most 32 characters of a scheme
  /\b([a-z][a-z0-9+.-]{0,31}:[/\\]{2}[^\s<>"'`]*)/dgi,
  /(?<![\w./@:-])(www\.[^\s<>"'`]+)/dgi,
]

/** All places that a text may lead to; they may overlap. */
export function findTargets(text: string): LinkTarget[] {
  const found: LinkTarget[] = []
  for (const [kind, place] of places.entries()) {
    for (const { indices } of text.matchAll(place)) {
      const [start, most] = indices?.[1] ?? [0, 0]
      // A quotation or angle brackets end by themselves.
      const end = kind === 0 || kind === 3 || kind === 4 ? most : endOfAddress(text, start, most)
      if (end > start)
        found.push({ span: { start, end }, address: readAddress(text.slice(start, end)), isSplit: kind === 1 && text[most] === ']' })
    }
  }
  return found
}

/** An address ends before a parenthesis that it has not opened, and before the signs that end a sentence. */
function endOfAddress(text: string, start: number, most: number): number {
  let depth = 0
  let end = start
  for (; end < most; end++) {
    const unit = text[end]
    if (unit === '\\') end++
    else if (unit === '(') depth++
    else if (unit === ')' && --depth < 0) break
  }
  end = Math.min(end, most)
  while (end > start + 1 && /[.,;:!?*_~\]]/.test(text[end - 1] as string)) end--
  return end
}

const named: Readonly<Record<string, string>> = {
  amp: '&',
  colon: ':',
  sol: '/',
  bsol: '\\',
  period: '.',
  commat: '@',
  num: '#',
  quest: '?',
  lpar: '(',
  rpar: ')',
  tab: '',
  newline: '',
}

/** Entities and escapes are read, and characters left out that browsers leave out. */
function readAddress(written: string): string {
  return written
    .replace(/&#x([0-9a-f]{1,6});?/gi, (_all, digits: string) => character(Number.parseInt(digits, 16)))
    .replace(/&#(\d{1,7});?/g, (_all, digits: string) => character(Number(digits)))
    .replace(/&([a-z]{2,8});/gi, (all, name: string) => named[name.toLowerCase()] ?? all)
    .replace(/\\([!-/:-@[-`{-~])/g, (all, sign: string) => (sign === '\\' || sign === '/' ? all : sign))
    .replace(/[\p{Cc}\p{Default_Ignorable_Code_Point}\s]/gu, '')
}

function character(code: number): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
}
