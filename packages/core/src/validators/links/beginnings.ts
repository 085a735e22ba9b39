import { isLetter } from '../../answer/characters.ts'
import { attributes, drawing } from './attributes.ts'

/** More than the longest name of an attribute: so much of the end of the text may become part of a mark. */
export const longestName = 16

/** So much before a sign is looked at. */
const longestScheme = 40

const ampersand = 38

/** A character reference, or the beginning of one, that may spell a letter or sign of an address. */
const reference = '&(?:#|(?:colon|b?sol|period);)'

/** Where an address may begin: what is before it is never part of a link that is judged. */
// backtracks: what is searched has at most 1000 characters and a chunk, and each part at most 40 in a row
export const beginning = new RegExp(
  [
    '\\](?:\\(|:)',
    '<[a-z][a-z0-9+.-]{1,31}:',
    drawing.source,
    `\\b(?:${attributes})\\s*=`,
    '[a-z][a-z0-9+.-]{0,31}\\\\?:[/\\\\]',
    '[a-z0-9+.-]{0,40}(?:(?:https?|ftp|wss?|mailto|xmpp)\\\\?:|www\\\\?\\.)',
    '\\\\?/\\\\?/[^\\s/]',
    `[a-z0-9+.:/\\\\-]{0,40}${reference}`,
  ].join('|'),
  'gi',
)

/** Without one of these signs nothing begins. */
export const beginningSigns = /[\]<=:/\\&]|www/i

// backtracks: at most 16 characters
const lastName = new RegExp(`\\b(?:${attributes})$`, 'i')

/** What a character is to the start of an address: something between words, a part of one, the dot behind `www`, or a sign or mark of code. */
const [between, part, dot, sign] = [0, 1, 2, 3]
const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code === 46) return dot
  if ('`~]<=:/\\&'.includes(String.fromCharCode(code))) return sign
  return isAddressSign(code) ? part : between
})

function kindOf(code: number): number {
  return code < 128 ? (kinds[code] as number) : between
}

/** From where the next characters may turn the end of a text into such a place: the name of an attribute, a bracket, or what may be the start of an address. */
export function unfinishedFrom(text: string): number {
  const { length } = text
  const last = text.charCodeAt(length - 1)
  const white = last > 32 && last < 127 ? length : text.trimEnd().length
  if (white < length) {
    const name = text.slice(Math.max(0, white - longestName), white)
    return lastName.test(name) ? white - (lastName.exec(name)?.[0].length ?? 0) : length
  }
  if (last === 93) return length - 1
  let at = length
  while (at > length - 6 && isLetter(text.charCodeAt(at - 1))) at--
  at = text.charCodeAt(at - 1) === ampersand ? at - 1 : length
  for (const least = Math.max(0, at - longestScheme); at > least && isAddressSign(text.charCodeAt(at - 1)); ) at--
  return text.charCodeAt(at - 1) === 60 ? at - 1 : at
}

/** A letter, a digit, or one of `+-./:\`. */
function isAddressSign(code: number): boolean {
  return isLetter(code) || (code >= 45 && code <= 58) || code === 43 || code === 92
}

/** The end of a text without signs with one more piece, as `unfinishedFrom` cuts it; undefined when something may begin in the piece. */
export function wordBehind(tail: string, piece: string): string | undefined {
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
  if (code > 32 && code < 127) return ''
  const text = tail + piece
  return text.slice(unfinishedFrom(text))
}
