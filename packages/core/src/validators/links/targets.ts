import type { TextSpan } from '../../answer/span.ts'
import { readReference, references } from '../shared/character-reference.ts'
import { matchesFrom, RewrittenText } from '../shared/rewritten-text.ts'
import { add, endOfAddress, type LinkTarget, never, readings, readSign, signs, unreadable } from './address.ts'
import { addressesIn, addressesInStyles, animated, animatedAddress, attributes, drawing } from './attributes.ts'
import { findBare } from './bare-addresses.ts'

const attribute = `\\b(${attributes}|${animated})\\s*=\\s*`

/** The values of attributes: more rather than less. */
const values: readonly RegExp[] = [
  // backtracks: from one attribute it reads only up to the next quotation mark
  new RegExp(`${attribute}"(?=([^"]*))`, 'dgi'),
  // backtracks: from one attribute it reads only up to the next quotation mark
  new RegExp(`${attribute}'(?=([^']*))`, 'dgi'),
  // backtracks: over the white space around one equals sign
  new RegExp(`${attribute}([^\\s"'<>][^\\s<>]*)`, 'dgi'),
  // In blocks of HTML a value without quotation marks may hold the beginning of a tag.
  // backtracks: over the white space around one equals sign
  new RegExp(`${attribute}([^\\s"'>][^\\s>]*)`, 'dgi'),
]
const ofAnimations: ReadonlySet<string> = new Set(animated.split('|'))

/** Whatever some renderer may read as the address of a link in Markdown. */
const places: readonly RegExp[] = [
  // Links and images, and definitions.
  /\](?:\(|:)\s*<(?=((?:[^<>\n\\]|\\.)*))/dg,
  /\](?:\(|:)\s*((?!\][(:])[^\s<](?:(?!\][(:])\S)*)/dg,
  // Addresses in angle brackets.
  /<([a-z][a-z0-9+.-]{1,31}:[^<>\s]*)/dgi,
]

/** In so many pages within pages addresses are read. */
const mostPages = 3

/** All places that a text may lead to from an offset on; they may overlap. A drawing or a style sheet begins at `drawn`, -1 without one. */
export function findTargets(text: string, drawn = text.search(drawing), from = 0, pages = 0): LinkTarget[] {
  const found: LinkTarget[] = []
  // Paints may be in other files, and a style sheet may load others.
  if (drawn >= 0) addAddresses(found, text, { start: drawn, end: text.length }, addressesInStyles, true)
  const animations = drawn >= 0 && animatedAddress.test(text) ? drawn : text.length
  if (text.includes('=')) for (const place of values) findValues(text, matchesFrom(place, text, from), found, pages, animations)
  for (const [kind, place] of places.entries()) {
    for (const { 0: all, indices } of matchesFrom(place, text, from)) {
      const [start, most] = indices?.[1] ?? [0, 0]
      // Angle brackets end by themselves.
      const end = kind === 0 ? most : endOfAddress(text, start, most)
      // A link that is closed, such as an image in another link, ends there; a definition goes on.
      const isClosed = all[1] === '(' && end < most && text[end] === ')'
      add(found, { start, end }, readings(text.slice(start, end), kind < 2), kind === 1 && text[most] === ']' && !isClosed)
    }
  }
  findBare(new RewrittenText(text, never, () => undefined), found, from)
  // Some renderers look for addresses in what they show: without escapes and references.
  const shown = /[\\&]/.test(text) ? new RewrittenText(text, signs, readSign) : undefined
  if (shown?.isRewritten) findBare(shown, found, shown.offsetOf(from))
  return found
}

function findValues(text: string, all: Iterable<RegExpExecArray>, found: LinkTarget[], pages: number, animations: number): void {
  for (const { 1: name = '', indices } of all) {
    const [start, most] = indices?.[2] ?? [0, 0]
    if (start < animations && ofAnimations.has(name.toLowerCase())) continue
    const end = text[start - 1] === '"' || text[start - 1] === "'" ? most : endOfAddress(text, start, most)
    if (name.toLowerCase() !== 'srcdoc')
      addAddresses(found, text, { start, end }, (plain) => addressesIn(name, plain), /^style$/i.test(name))
    else findInPage(text, { start, end: most }, found, pages + 1)
  }
}

/** Finds what the page leads to that is the value of an attribute. */
function findInPage(text: string, { start, end }: TextSpan, found: LinkTarget[], pages: number): void {
  const page = new RewrittenText(text.slice(start, end), references, readReference)
  if (pages > mostPages) add(found, { start, end }, unreadable, false)
  else if (page.isRewritten)
    for (const { span, ...target } of findTargets(page.plain, undefined, 0, pages))
      found.push({ ...target, span: { start: start + page.start(span.start), end: start + page.end(span.end) } })
}

/** Adds the addresses that are found in a part of a text whose references, and in styles the escapes, are read. */
function addAddresses(
  found: LinkTarget[],
  text: string,
  part: TextSpan,
  find: (plain: string) => readonly TextSpan[],
  isStyle: boolean,
): void {
  const value = new RewrittenText(text.slice(part.start, part.end), references, readReference)
  const style = new RewrittenText(value.plain, isStyle ? styleEscapes : never, readStyleEscape)
  for (const one of find(style.plain)) {
    const span = { start: part.start + value.start(style.start(one.start)), end: part.start + value.end(style.end(one.end)) }
    add(
      found,
      span,
      [...new Set([style.plain.slice(one.start, one.end).trim(), ...readings(text.slice(span.start, span.end), false)])],
      false,
    )
  }
}

const styleEscapes = /\\(?:([0-9a-f]{1,6})(?:\r\n|\s)?|(\r\n|[\s\S]))/gi

function readStyleEscape([, hex, unit = '']: readonly (string | undefined)[]): string {
  if (hex === undefined) return unit.trim()
  return readReference(['', hex]) ?? ''
}
