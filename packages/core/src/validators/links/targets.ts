import type { TextSpan } from '../../answer/span.ts'
import { readMarkdownReference, readReference, references } from '../shared/character-reference.ts'
import { RewrittenText } from '../shared/rewritten-text.ts'
import { addressesIn, addressesInStyles, animated, animatedAddress, attributes, drawing } from './attributes.ts'

/** A place that a link or an image leads to. */
export interface LinkTarget {
  readonly span: TextSpan
  /** The address in every way in which renderers and browsers may read it. */
  readonly addresses: readonly string[]
  /** Whether another link may begin inside of it, so that nobody can tell where it leads. */
  readonly isSplit: boolean
}

const attribute = `\\b(${attributes}|${animated})\\s*=\\s*`

/** The values of attributes: more rather than less. */
const values: readonly RegExp[] = [
  // backtracks: from one attribute it reads only what stands before the next quotation mark
  new RegExp(`${attribute}"(?=([^"]*))`, 'dgi'),
  // backtracks: from one attribute it reads only what stands before the next quotation mark
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

/** Bare addresses, which end at a closing bracket, but for that of a host in version 6 of the protocol. */
const bare: readonly RegExp[] = [
  // backtracks: at most 32 characters of a scheme, and 200 of a user
  /(?<![a-z])([a-z][a-z0-9+.-]{0,31}:[/\\]{2,}(?:(?:[^\s<>"'`[\]/\\?#]{0,200}@)?\[[0-9a-f:.]{2,45}\])?[^\s<>"'`\]]*)/dgi,
  // backtracks: at most 63 characters of a host
  /(?<![a-z])((?:https?|ftp|wss?):[/\\]?[^\s<>"'`\].。．｡/\\:]{1,63}[.。．｡][^\s<>"'`\]]+)/dgi,
  // backtracks: at most 63 characters of each part of a host
  /(?<![a-z0-9:/])(\/\/(?:[^\s<>"'`\].。．｡/\\:]{1,63}[.。．｡])+(?:[a-z]{2}|com|org|net|info|biz|edu|gov|pro|web|xxx|aero|asia|coop|name|shop|museum)(?![\w-])[^\s<>"'`\]]*)/dgi,
  /(?<![a-z0-9./@:-])(www[.。．｡][^\s<>"'`\]]+)/dgi,
  /(?<![a-z])((?:mailto|xmpp):[^\s<>"'`\]]+)/dgi,
]

/** In so many pages within pages addresses are read. */
const mostPages = 3

/** All places that a text may lead to; they may overlap. */
export function findTargets(text: string, pages = 0): LinkTarget[] {
  const found: LinkTarget[] = []
  const drawn = text.search(drawing)
  // Paints may be in other files, and a style sheet may load others.
  if (drawn >= 0) addAddresses(found, text, { start: drawn, end: text.length }, addressesInStyles, true)
  const animations = drawn >= 0 && animatedAddress.test(text) ? drawn : text.length
  if (text.includes('=')) for (const place of values) findValues(text, place, found, pages, animations)
  for (const [kind, place] of places.entries()) {
    for (const { 0: all, indices } of text.matchAll(place)) {
      const [start, most] = indices?.[1] ?? [0, 0]
      // Angle brackets end by themselves.
      const end = kind === 0 ? most : endOfAddress(text, start, most)
      // A link that is closed, such as an image in another link, ends there; a definition goes on.
      const isClosed = all[1] === '(' && end < most && text[end] === ')'
      add(found, { start, end }, readings(text.slice(start, end), kind < 2), kind === 1 && text[most] === ']' && !isClosed)
    }
  }
  findBare(new RewrittenText(text, never, () => undefined), found)
  // Some renderers look for addresses in what they show: without escapes and references.
  const shown = /[\\&]/.test(text) ? new RewrittenText(text, signs, readSign) : undefined
  if (shown?.isRewritten) findBare(shown, found)
  return found
}

function findValues(text: string, place: RegExp, found: LinkTarget[], pages: number, animations: number): void {
  for (const { 1: name = '', indices } of text.matchAll(place)) {
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
    for (const { span, ...target } of findTargets(page.plain, pages))
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

function findBare(text: RewrittenText, found: LinkTarget[]): void {
  const { plain } = text
  for (const place of bare) {
    let authority = { end: 0, sign: -1 }
    for (const { 0: address, index: start } of plain.matchAll(place)) {
      const end = endOfBare(plain, start, endOfAddress(plain, start, start + address.length))
      // The name of a scheme alone leads nowhere.
      if (/^[a-z][a-z0-9+.-]*:[/\\]*$/i.test(plain.slice(start, end))) continue
      const span = { start: text.start(start), end: text.end(end) }
      add(found, span, [...readings(plain.slice(start, end), false), ...shorter(plain.slice(start, end))], false)
      const from = start + (/^(?:[a-z][a-z0-9+.-]*:)?[/\\]*/i.exec(address)?.[0].length ?? 0)
      // Others may begin in the same piece of text, which is read once.
      if (from >= authority.end) authority = authorityAt(plain, from)
      if (authority.sign < end || isClosed(plain, start, end, authority.sign)) continue
      const most = endOfHost(plain, authority.sign + 1)
      const isLong = most - start > longestUser
      if (isLong || URL.canParse(plain.slice(start, most), 'https://relative.invalid'))
        add(found, { start: span.start, end: text.end(most) }, isLong ? unreadable : readings(plain.slice(start, most), false), false)
    }
  }
}

/** A longer user is not read: nobody can tell where the address leads. */
const longestUser = 2048
const unreadable = ['https://[']

/** Some renderers read an address on to the next white space, and browsers take what is before the last sign `@` of the authority for a user. */
function authorityAt(text: string, from: number): { readonly end: number; readonly sign: number } {
  let sign = -1
  let end = from
  for (; end < text.length && !/[\s</\\?#]/.test(text[end] as string); end++) if (text[end] === '@') sign = end
  return { end, sign }
}

/** Whether something before an address opens it that is closed between its end and an offset. */
function isClosed(text: string, start: number, end: number, to: number): boolean {
  const opener = opened.exec(text.slice(Math.max(0, start - 1000), start))?.[0][0]
  return opener !== undefined && text.slice(end, Math.min(to, end + longestUser)).includes(closers[opener] ?? opener)
}

function endOfHost(text: string, from: number): number {
  let end = from
  while (end < text.length && !/[\s<>()[\]"'`]/.test(text[end] as string)) end++
  while (end > from && /[.,;:!?*_~]/.test(text[end - 1] as string)) end--
  return end
}

const closers: Readonly<Record<string, string>> = { '[': ']', '<': '>' }

/** What opens an address: it ends where that is closed. */
// backtracks: at most 1000 characters
const opened = /(?:(?<!\\)\[[^[\]`\\<\n]*(?:\]\()?|["'`]|<[^<>\s]*|<[a-z][^<>]*)$/i

function add(found: LinkTarget[], span: TextSpan, addresses: readonly string[], isSplit: boolean): void {
  if (span.end > span.start) found.push({ span, addresses, isSplit })
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

/** Closing quotation marks and brackets of any script, a bar of a table or a note behind a bare address are not part of it. */
function endOfBare(text: string, start: number, most: number): number {
  let end = most
  while (end > start && /[…|}$^=\p{Pf}\p{Pi}\p{Pe}、，；：！？]/u.test(text[end - 1] as string)) end--
  // backtracks: at most 12 characters
  return end - (/\[\^?\d{0,9}$/.exec(text.slice(Math.max(start, end - 12), end))?.[0].length ?? 0)
}

/** The address up to a sign, or a letter of a script without spaces, behind what may be the whole host: some renderers end it there. */
function shorter(address: string): string[] {
  const host =
    /^[a-z][a-z0-9+.-]{0,31}:[/\\]*[a-z0-9.-]{1,253}?\.[a-z]{2,63}(?=[^\p{L}\p{N}\p{M}\p{Cf}.。．｡:/\\?#@-]|[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}])/iu.exec(
      address,
    )
  return host ? [host[0]] : []
}

const never = /(?!)/g
const escapes = /\\([!-/:-@[-`{-~])/g
/** References and escapes, which CommonMark reads in one pass. */
// backtracks: one character decides between the two, and both are lists of characters
const signs = new RegExp(`${references.source}|${escapes.source}`, 'g')

function readSign(match: readonly (string | undefined)[]): string | undefined {
  return match[4] ?? readMarkdownReference(match)
}

/** An address as it is written, and as renderers and browsers read it: its references, in Markdown its escapes, and without the characters that browsers leave out. */
function readings(written: string, isMarkdown: boolean): string[] {
  const read = new Set([written])
  if (/[\\&]/.test(written)) {
    read.add(decode(written, references, readReference))
    if (isMarkdown) {
      read.add(decode(written, signs, readSign))
      read.add(decode(written.replace(escapes, '$1'), references, readReference))
    }
  }
  for (const one of [...read]) {
    read.delete(one)
    // As a browser does, and as others may.
    read.add(one.replace(/[\t\n\r]/g, '').trim())
    read.add(one.replace(/[\p{Cc}\p{Default_Ignorable_Code_Point}\s]/gu, ''))
  }
  return [...read]
}

function decode(written: string, pattern: RegExp, read: typeof readReference): string {
  return new RewrittenText(written, pattern, read).plain
}
