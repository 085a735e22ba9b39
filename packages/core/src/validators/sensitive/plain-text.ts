import { readReference } from '../shared/character-reference.ts'
import { RewrittenText } from '../shared/rewritten-text.ts'

/** The end of what was read before a text, which tells whether something begins there. */
export interface Before {
  /** As it was written: escapes and emphasis depend on the characters before them. */
  readonly written: string
  /** As a renderer shows it. */
  readonly shown: string
}

/** Before the beginning. */
export const nothing: Before = { written: '', shown: '' }

/**
 * Spaces and hyphens that do not break a line and others that look the same, characters without width, escapes of JSON, also of JSON in its strings,
 * of Markdown and of addresses, character references, and tags and signs of emphasis that a renderer does not show.
 */
const written =
  // backtracks: from the first of several backslashes it reads at most 64, and of a reference at most 64
  /([\u00a0\u2007\u2009\u202f\u2010-\u2012]|\p{Default_Ignorable_Code_Point})|(?<!\\)(\\{1,64})(?:u([0-9a-fA-F]{4})|([/@_.+()%#-]))|%(40|2[bdeBDE]|5[fF])|&(?:#[xX]([0-9a-fA-F]{1,64})|#([0-9]{1,64})|([a-zA-Z][a-zA-Z0-9]{1,31})(?=;));?|<(?:\/?([a-zA-Z]{1,6})[ \n]{0,8}\/?|!--[ \n]{0,8}--)>|(?<=[\p{L}@.])(?:\*{1,3}|~~)(?=[\p{L}@.])/gu
/** What each of them has, looked for first since nearly all text has none. */
const mayBeWritten = /[&<\\%*~\u0080-\uffff]/

/** The beginning of such a part at the end of a text; it always matches. */
const unfinished =
  // backtracks: at most 72 characters
  /(?:(?<!\\)\\{1,64}(?:u[0-9a-fA-F]{0,3})?|%[245]?|&(?:#(?:[xX][0-9a-fA-F]{0,64}|[0-9]{0,64})|[a-zA-Z][a-zA-Z0-9]{0,31})?|<(?:\/?[a-zA-Z]{0,6}[ \n]{0,8}\/?|!-{0,2}|!--[ \n]{0,8}-{0,2})|\*{1,3}|~{1,2}|[\ud800-\udbff])?$/
const longestEscape = 72

/** Tags that change how text looks, and not what it says. */
const inlineTags: ReadonlySet<string> = new Set(
  'a abbr b bdi bdo big cite code del dfn em font i ins kbd mark nobr q s samp small span strike strong sub sup tt u var wbr'.split(' '),
)

/** A text as a renderer shows it, with usual spaces and hyphens and without characters that have no width, behind what was read before it. */
export interface PlainText {
  readonly plain: string
  /** Where it begins in that. */
  readonly from: number
  /** Where the original of the character at an offset starts, and where that of the text before an offset ends. */
  readonly start: (offset: number) => number
  readonly end: (offset: number) => number
  /** How many characters start before an offset of the original. */
  readonly offsetOf: (original: number) => number
}

/** Reads a text up to an offset. */
export function readPlain(text: string, length: number, { written: context, shown }: Before): PlainText {
  const from = shown.length
  if (!mayBeWritten.test(text)) {
    const original = (offset: number): number => offset - from
    return { plain: shown + text.slice(0, length), from, start: original, end: original, offsetOf: (offset) => offset + from }
  }
  const skipped = context.length
  const read = new RewrittenText(context + text.slice(0, length), written, readWritten, skipped)
  const shift = from - skipped
  return {
    plain: shown + read.plain.slice(skipped),
    from,
    start: (offset) => read.start(offset - shift) - skipped,
    end: (offset) => read.end(offset - shift) - skipped,
    offsetOf: (original) => read.offsetOf(original + skipped) + shift,
  }
}

/** How much of a text is certain to be read so, whatever follows. */
export function wholeLength(text: string): number {
  const most = Math.max(0, text.length - longestEscape)
  const tail = text.slice(most)
  return mayBeWritten.test(tail) ? most + tail.search(unfinished) : text.length
}

function readWritten(match: readonly (string | undefined)[]): string | undefined {
  const [all = '', odd, slashes, escaped, sign, percent, hex, decimal, name, tag] = match
  if (odd !== undefined) return usual(odd)
  if (percent !== undefined) return String.fromCharCode(Number.parseInt(percent, 16))
  if (all.startsWith('&')) {
    const read = readReference([all, hex, decimal, name])
    return read === undefined ? undefined : usual(read)
  }
  if (slashes === undefined) return tag === undefined || inlineTags.has(tag.toLowerCase()) ? '' : undefined
  const plain = sign ?? usual(String.fromCharCode(Number.parseInt(escaped ?? '', 16)))
  // With every level of strings in strings their number doubles; any other number leaves some that are meant.
  return (slashes.length & (slashes.length - 1)) === 0 ? plain : `\\${plain}`
}

/** A character as it is usually written: those that look like a space or a hyphen as one, and nothing for those without width. */
function usual(character: string): string {
  if (character.charCodeAt(0) < 0x80) return character
  if (/^[\u00a0\u2007\u2009\u202f]$/.test(character)) return ' '
  if (/^[\u2010-\u2012]$/.test(character)) return '-'
  return /^\p{Default_Ignorable_Code_Point}$/u.test(character) ? '' : character
}
