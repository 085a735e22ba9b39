import type { Passage } from '../../answer/inline/passages.ts'
import { StepBudget } from '../../answer/inline/scan-result.ts'
import { readTag, tagStart } from '../../answer/inline/tag.ts'
import type { TextSpan } from '../../answer/span.ts'
import { endOfMatch } from '../../answer/span.ts'
import { readReference, readSign, references, signs } from '../shared/character-reference.ts'
import { matchesFrom, RewrittenText } from '../shared/rewritten-text.ts'
import { add, endOfAddress, type LinkTarget, never, readings } from './address.ts'
import { findBare } from './bare-addresses.ts'

/** What comes right before an address in Markdown: of links and images, and of definitions. */
// backtracks: a label has at most 999 characters, and begins only with its line
const opener = '(?:\\]\\(|(?:^|[\\r\\n])[ \\t>]{0,99}\\[(?:[^\\\\[\\]]|\\\\[^]){1,999}\\]:)\\s*'

/** Whatever some renderer may read as the address of a link in Markdown. */
const places: readonly RegExp[] = [
  // backtracks: the rest of an address is read once
  new RegExp(`${opener}<(?=((?:[^<>\\n\\\\]|\\\\.)*))`, 'dg'),
  // backtracks: the rest of an address is read once
  new RegExp(`${opener}((?!\\][(:])[^\\s<](?:(?!\\][(:])\\S)*)`, 'dg'),
  // Addresses in angle brackets.
  /<([a-z][a-z0-9+.-]{1,31}:[^<>\s]*)/dgi,
]

/** All places that a passage may lead to, at their offsets in its text; they may overlap. */
export function findTargets({ text, isInline }: Passage): LinkTarget[] {
  const found: LinkTarget[] = []
  if (text.includes('=')) findInTags(text, isInline, found)
  for (const [kind, place] of places.entries()) {
    for (const { 0: all, indices } of matchesFrom(place, text, 0)) {
      const [start, most] = indices?.[1] ?? [0, 0]
      // Angle brackets end by themselves.
      const end = kind === 0 ? most : endOfAddress(text, start, most)
      // A link that is closed, such as an image in another link, ends there; a definition goes on.
      const isClosed = all.startsWith('](') && end < most && text[end] === ')'
      add(found, { start, end }, readings(text.slice(start, end), kind < 2), kind === 1 && text[most] === ']' && !isClosed)
    }
  }
  findBare(new RewrittenText(text, never, () => undefined), found, 0)
  // Some renderers look for addresses in what they show: without escapes and references.
  const shown = /[\\&]/.test(text) ? new RewrittenText(text, signs, readSign) : undefined
  if (shown?.isRewritten) findBare(shown, found, 0)
  return found
}

function findInTags(text: string, isInline: boolean, found: LinkTarget[]): void {
  const budget = new StepBudget(text.length)
  const last = isInline ? text.lastIndexOf('>') : text.length
  for (const { index } of matchesFrom(tagStart, text, 0)) {
    if (index > last) return
    const tag = readTag(text, index)
    // Tags in tags, so many that nobody can tell where they lead.
    if (!budget.spend(tag.end - index)) {
      add(found, { start: index, end: text.length }, ['//'], true)
      return
    }
    // A later block may close what is open in a block of HTML.
    if (isInline && !tag.isClosed) continue
    for (const { name, start, end } of tag.attributes) {
      const attribute = name.replace(/^xlink:/, '')
      if (!addressAttributes.has(attribute)) continue
      const value = new RewrittenText(text.slice(start, end), references, readReference)
      for (const one of addressesIn(attribute, value.plain)) {
        const span = { start: start + value.start(one.start), end: start + value.end(one.end) }
        add(
          found,
          span,
          [...new Set([value.plain.slice(one.start, one.end).trim(), ...readings(text.slice(span.start, span.end), false)])],
          false,
        )
      }
    }
  }
}

/** The attributes of HTML that hold addresses. */
const addressAttributes: ReadonlySet<string> = new Set(
  'href src srcset imagesrcset action formaction poster data background cite ping attributionsrc manifest longdesc codebase archive content style'.split(
    ' ',
  ),
)

/** Where the addresses are in the value of an attribute, whose references are read. */
function addressesIn(name: string, value: string): TextSpan[] {
  if (name === 'srcset' || name === 'imagesrcset') return addressesOfSet(value)
  if (name === 'ping' || name === 'archive' || name === 'attributionsrc') return matchesIn(value, /[^\s,]+/g)
  // A page that is opened after some seconds.
  if (name === 'content') return matchesIn(value, /^(\s*[\d.]+\s*[;,\s]\s*(?:url\s*=\s*)?["']?)([^"']+)/gi)
  if (name === 'style') return matchesIn(value, /(url\(\s*["']?)([^"')]+)/gi)
  const start = value.length - value.trimStart().length
  return [{ start, end: Math.max(start, value.trimEnd().length) }]
}

const gapOfSet = /[ \t\n\f\r,]*/y
const addressInSet = /[^ \t\n\f\r]+/y
/** How wide or dense an image is: a comma ends it, but not in parentheses. */
const description = /(?:[^,(]|\([^)]*(?:\)|$))*/y

/** The addresses of a set of images, as the HTML standard reads it. */
function addressesOfSet(value: string): TextSpan[] {
  const found: TextSpan[] = []
  for (let at = 0; ; ) {
    const start = endOfMatch(gapOfSet, value, at) ?? at
    const next = endOfMatch(addressInSet, value, start)
    if (next === undefined) return found
    let end = next
    while (value[end - 1] === ',') end--
    found.push({ start, end })
    // Commas behind an address end it, and nothing describes it.
    at = end < next ? next : (endOfMatch(description, value, next) ?? next)
  }
}

/** Where a pattern matches, behind what its first group takes. */
function matchesIn(value: string, pattern: RegExp): TextSpan[] {
  return Array.from(value.matchAll(pattern), ({ 0: all, 1: before = '', index }) => ({
    start: index + before.length,
    end: index + all.length,
  }))
}
