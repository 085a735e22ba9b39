import { endOfMatch } from '../../answer/span.ts'
import { matchesFrom, type RewrittenText } from '../shared/rewritten-text.ts'
import { add, endOfAddress, type LinkTarget, readings } from './address.ts'
import { leadsNowhere, spacelessLetter } from './top-level-domains.ts'

/** Where some renderer may begin a bare address: `www.`, a scheme with slashes, one of the web with a host, slashes with a host, and a mail. */
const beginning =
  // backtracks: at most 32 characters of a scheme, and 63 of each part of a host
  /www[.。．｡](?=[^\s<])|[a-z][a-z0-9+.-]{0,31}:[/\\]{2,}|(?<![a-z])(?:https?|ftp|wss?):(?=[/\\]?[^\s<>"'`\].。．｡/\\:]{1,63}[.。．｡][^\s<>"'`\]])|(?<![a-z0-9:/])\/\/(?=[^\s<>"'`\].。．｡/\\:]{1,63}[.。．｡][^\s<>"'`\].。．｡/\\:])|(?<![a-z])(?:mailto|xmpp):(?=[^\s<>"'`\]])/gi

/** The rest of a bare address, which ends at a closing bracket, but for that of a host in version 6 of the protocol. */
// backtracks: at most 200 characters of a user
const remainder = /(?:(?:[^\s<>"'`[\]/\\?#]{0,200}@)?\[[0-9a-f:.]{2,45}\])?[^\s<>"'`\]]*/iy

/** What every renderer reads as one address, so that another one in it is part of it; without a scheme some begin with that one. */
const whole =
  // backtracks: at most 40 parts of a host, of 63 characters each
  /(?!www\.)[a-z][a-z0-9+.-]{0,31}:\/\/(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,40}[a-z]{2,63}(?::\d{1,4})?(?:[/?#](?:[a-z0-9%+=&/:#@-]|(?<=[a-z0-9])_(?=[a-z0-9])|[.,;?!](?=[a-z0-9%/=&#+-]))*)?/iy

interface Beginning {
  readonly start: number
  /** Where the name of the scheme and the slashes end. */
  readonly from: number
}

/** Finds the addresses that a text shows from an offset on without any marks of a link. */
export function findBare(text: RewrittenText, found: LinkTarget[], first: number): void {
  const { plain } = text
  const all = beginnings(plain, first)
  let authority: Authority = { end: 0, sign: -1 }
  let run = 0
  let judged = 0
  for (const [index, { start, from }] of all.entries()) {
    const isFirst = start >= run
    if (isFirst) run = endOfMatch(remainder, plain, from) ?? from
    // Another one may begin in it, which ends it for some renderers; the first is read in both ways.
    const next = Math.min(run, all[index + 1]?.start ?? run)
    const end = endOfBare(plain, start, isFirst ? run : next)
    // The name of a scheme alone leads nowhere, nor does one that another address cuts off.
    if (end <= from && plain[from - 1] !== '.') continue
    const address = plain.slice(start, end)
    const host = wholeHost(address)
    const prose = start + beginOfProse(address, host)
    const cut = next < end && next > from ? readings(plain.slice(start, next), false) : []
    const long = [...readings(address, false), ...cut]
    // Where prose follows a host at once, a longer one counts only if somebody can open it.
    const read = host !== undefined && prose < end ? long.filter((one) => !leadsNowhere(one)) : long
    const span = { start: text.start(start), end: text.end(Math.min(prose, end)) }
    add(found, span, [...read, ...(host ? readings(host, false) : [])], false)
    // Others may begin in the same piece of text, which is read once.
    if (from >= authority.end) authority = authorityAt(plain, from)
    // All that begin in one authority lead to the same host.
    if (judged < authority.end && addLonger(text, start, end, prose, authority, found)) judged = authority.end
  }
}

/** Where addresses begin that no renderer reads as part of an earlier one. */
function beginnings(plain: string, first: number): Beginning[] {
  const found: Beginning[] = []
  let sealed = 0
  for (const { 0: sign, index: start } of matchesFrom(beginning, plain, first)) {
    if (start < sealed) continue
    found.push({ start, from: start + sign.length })
    const end = endOfMatch(whole, plain, start) ?? start
    // What looks like a host may be the name of a scheme, and within a word or behind other signs some renderers begin no address.
    sealed = plain[end] === ':' || !/^[\s(<[|"'*~\p{Pi}\p{Ps}]?$/u.test(plain[start - 1] ?? '') ? start : end
  }
  return found
}

/** So much behind an address is searched for what closes it. */
const longestRest = 2048

interface Authority {
  readonly end: number
  /** The last sign `@` in it, before which is a user; -1 without one. */
  readonly sign: number
}

/** Adds what renderers read that end an address only at white space: what follows its end belongs to the host, or to a user before it; false when nobody reads on. */
function addLonger(text: RewrittenText, start: number, end: number, prose: number, authority: Authority, found: LinkTarget[]): boolean {
  const { plain } = text
  const hasUser = authority.sign >= end
  if (authority.end <= end || isClosed(plain, start, end, hasUser ? authority.sign : authority.end)) return false
  const ends = [trimmed(plain, end, authority.end), hasUser ? endOfHost(plain, authority.sign + 1) : end]
  for (const most of new Set(ends)) {
    const address = plain.slice(start, most)
    const rest = plain.slice(end, most)
    // No top-level domain has one letter, as the last name of a call or an assignment may.
    const isRead = hasUser || (/[.。．｡][a-z0-9-]+[.。．｡][a-z0-9]/i.test(rest) && !/[.。．｡][a-z]$/i.test(rest))
    if (isRead && most > end && URL.canParse(address, 'https://relative.invalid'))
      add(found, { start: text.start(start), end: text.end(Math.min(prose, most)) }, readings(address, false), false)
  }
  return true
}

/** Some renderers read an address on to the next white space, and browsers take what is before the last sign `@` of the authority for a user. */
function authorityAt(text: string, from: number): Authority {
  let sign = -1
  let end = from
  for (; end < text.length && !/[\s</\\?#]/.test(text[end] as string); end++) if (text[end] === '@') sign = end
  return { end, sign }
}

/** Whether something before an address opens it that is closed between its end and an offset, and nobody reads on. */
function isClosed(text: string, start: number, end: number, to: number): boolean {
  const behind = (closer: string): string | undefined => {
    const at = text.slice(end, Math.min(to, end + longestRest)).indexOf(closer)
    return at < 0 ? undefined : text.slice(end + at + 1, end + at + longestRest)
  }
  const quote = /["'`]/.exec(text[start - 1] ?? '')?.[0]
  if (quote !== undefined && nextQuoted.test(behind(quote) ?? '')) return true
  const opener = opened.exec(text.slice(Math.max(0, start - 1000), start))?.[0][0]
  return opener === '<' ? behind('>') !== undefined : opener === '[' && linkTail.test(behind(']') ?? '')
}

/** The rest of a link whose text is closed. */
// backtracks: at most 2048 characters, whose parts begin with different signs
const linkTail = /^\(\s{0,9}(?:<[^<>\n]*>|[^\s()<>]*)(?:\s{1,9}(?:"[^"]*"|'[^']*'))?\s{0,9}\)/

/** What separates quoted texts, as in JSON and in tables. */
const nextQuoted = /^[\]})]{0,9}[,:;|][[{(]{0,9}["'`]/

function endOfHost(text: string, from: number): number {
  let end = from
  while (end < text.length && !/[\s<>()[\]"'`]/.test(text[end] as string)) end++
  return trimmed(text, from, end)
}

function trimmed(text: string, from: number, most: number): number {
  let end = most
  while (end > from && /[.,;:!?*_~"'`&()<>[\]{}]/.test(text[end - 1] as string)) end--
  return end
}

/** What opens an address: it ends where that is closed. */
// backtracks: at most 1000 characters
const opened = /(?:(?<!\\)\[[^[\]`\\<\n]*(?:\]\()?|<|<[a-z][^<>"'`]*(?:"[^<>"]*"[^<>"'`]*|'[^<>']*'[^<>"'`]*){0,9}=\s{0,9}["']?)$/i

/** Closing quotation marks and brackets of any script, a bar of a table or a note behind a bare address are not part of it. */
function endOfBare(text: string, start: number, most: number): number {
  let end = endOfAddress(text, start, most)
  while (end > start && /[…|}$^=\p{Pf}\p{Pi}\p{Pe}、，；：！？]/u.test(text[end - 1] as string)) end--
  // backtracks: at most 12 characters
  const note = /[!?.,:;]?\[\^?\d{0,9}$/.exec(text.slice(Math.max(start, end - 12), end))?.[0].length ?? 0
  return end - note
}

// backtracks: at most 253 characters of a host
const hostBefore = new RegExp(
  `^(?:[a-z][a-z0-9+.-]{0,31}:[/\\\\]*|//|www\\.)(?:[a-z0-9.\\p{Cf}-]{1,253}?\\.[a-z]{2,63}|localhost|\\d{1,3}(?:\\.\\d{1,3}){3})[.\\p{Cf}]*(?::\\d{1,5})?(?=[^\\p{L}\\p{N}\\p{M}\\p{Cf}.:/\\\\?#-]|${spacelessLetter})`,
  'iu',
)

/** The address up to a sign, or a letter of a script without spaces, behind what may be the whole host: some renderers end it there. */
function wholeHost(address: string): string | undefined {
  return hostBefore.exec(address)?.[0]
}

/** Full-width marks of a sentence, which end an address for readers; a full stop may be one of a host. */
const fullWidthMark = /[，、；：！？（）「」『』【】《》〈〉]|。(?![a-z0-9])/i

/** Where prose begins in an address that has no space behind it: at a full-width mark, at a bar, or at a letter of a script without spaces behind the host. */
function beginOfProse(address: string, host: string | undefined): number {
  if (host !== undefined && (address[host.length] === '|' || letterOrMark.test(address.slice(host.length, host.length + 2))))
    return host.length
  // The marks of a host are read above.
  const path = host === undefined ? address.search(/(?<![:/\\])[/\\?#]/) : -1
  const mark = path < 0 ? -1 : address.slice(path).search(fullWidthMark)
  return mark < 0 ? Number.POSITIVE_INFINITY : path + mark
}

/** Reads no more than one character and the next. */
// backtracks: at most 2 characters
const letterOrMark = new RegExp(`^(?:${spacelessLetter}|${fullWidthMark.source})`, 'iu')
