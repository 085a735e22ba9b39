import { isLetter } from '../../answer/characters.ts'

/** So much before a sign is looked at. */
const longestScheme = 40

/** The longest beginning of the name of a reference. */
const longestName = 5

/** A character reference, or the beginning of one, that may spell a letter or sign of an address. */
const reference = '&(?:#|(?:colon|b?sol|period);)'

/** Where an address may begin: what is before it is never part of a link that is judged. */
// backtracks: each part at most 40 characters in a row
export const beginning = new RegExp(
  [
    '\\](?:\\(|:)',
    '</?[a-z]',
    '[a-z][a-z0-9+.-]{0,31}\\\\?:[/\\\\]',
    '[a-z0-9+.-]{0,40}(?:(?:https?|ftp|wss?|mailto|xmpp)\\\\?:|www\\\\?[.。．｡])',
    '\\\\?/\\\\?/[^\\s/]',
    `[a-z0-9+.:/\\\\-]{0,40}${reference}`,
  ].join('|'),
  'i',
)

const hasSign = /[\]<:/\\&]/

/** What a character is to the start of an address: something between words, a part of one, the dot behind `www`, or a sign. */
const [between, part, dot, sign] = [0, 1, 2, 3]
const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code === 46) return dot
  if (']<:/\\&'.includes(String.fromCharCode(code))) return sign
  return isAddressSign(code) ? part : between
})

function kindOf(code: number): number {
  return code < 128 ? (kinds[code] as number) : '。．｡'.includes(String.fromCharCode(code)) ? dot : between
}

/** What of the end of a text the next characters may turn into such a place: a bracket, or what may be the start of an address. */
export function wordAtEnd(text: string): string {
  return wordEnd.exec(text.slice(-2 - longestScheme - longestName))?.[0] ?? ''
}

// backtracks: at most 47 characters
const wordEnd = /[\]<]$|<?[a-z0-9+./:\\-]{0,40}(?:&[a-z]{0,5})?$/i

/** A letter, a digit, or one of `+-./:\`. */
function isAddressSign(code: number): boolean {
  return isLetter(code) || (code >= 45 && code <= 58) || code === 43 || code === 92
}

/** The end of a text with one more piece, as `wordAtEnd` cuts it; undefined when something may begin in the piece. */
export function wordBehind(tail: string, piece: string): string | undefined {
  if (hasSign.test(tail)) return undefined
  const before = tail.charCodeAt(tail.length - 1)
  let word = 0
  let code = before
  for (let at = 0; at < piece.length; at++) {
    const previous = code
    code = piece.charCodeAt(at)
    const kind = kindOf(code)
    if (kind === sign || (kind === dot && (previous | 32) === 119)) return undefined
    if (kind === between) word = at + 1
  }
  if (word < piece.length) {
    const isNew = word > 0 || kindOf(before) === between
    return isNew ? piece.slice(Math.max(word, piece.length - longestScheme)) : (tail + piece).slice(-longestScheme)
  }
  return ''
}
