import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import { isNothing, saysIn } from '../shared/unchecked-values.ts'

/** Maximum bytes of a token that was not chosen. */
const mostOfToken = 100

/** Maximum bytes missing from a text: each is searched in all of it. */
const mostLost = 300

/** Special tokens of models, in brackets. */
const marks = new Set(
  (
    'end start channel message constrain return call im_start im_end im_sep endoftext endofprompt begin_of_text end_of_text eot ' +
    'start_header_id end_header_id eot_id eom_id python_tag tool_call begin▁of▁sentence end▁of▁sentence s eos bos pad unk ' +
    'start_of_turn end_of_turn think'
  ).split(' '),
)
const bracketed = /^<[|/｜]?([a-z_▁]{1,20})[|｜]?>$/
/** Some servers write the numbers of tokens instead. */
const numbered = /^token_id:\d{1,7}$/

/** Bytes of a part of a character, and of white space, as servers write them. */
const written = /(?:bytes: ?)?((?:\\x[89a-f][\da-f])+)|<0x([89a-f][\da-f]|0[9ad]|20)>/gi
/** Some tokenizers write spaces and line breaks as special characters. */
const spaces = /[▁ĠĊ]/g
/** The replacement for a part of a character whose bytes are lost. */
const unknown = /\uFFFD+/
const unknownBytes = '\u00EF\u00BF\u00BD'

const encoder = new TextEncoder()
const ascii = /^\p{ASCII}*$/u

/** A text with one character for each of its UTF-8 bytes, so that parts of characters can be searched. */
export function bytesOf(text: string): string {
  return ascii.test(text) ? text : characters(encoder.encode(text))
}

function characters(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return text
}

/** Whether all log probabilities of a choice belong to a text. */
export function areLogprobsOf({ content, refusal, tokens, ...others }: Fields, text: string): boolean {
  return areTokensOf(content, text) && areTokensOf(refusal, text) && areTokensOf(tokens, text) && !saysIn(others, Object.keys(others))
}

/** Whether log probabilities belong to a text: it has their tokens, in order. */
export function areTokensOf(tokens: unknown, text: string): boolean {
  if (isNothing(tokens)) return true
  if (!Array.isArray(tokens)) return false
  const bytes = bytesOf(text)
  let at = 0
  // The bytes of characters that were cut off, which the text does not have or has as U+FFFD.
  let lost = Math.min(3 * bytes.split(unknownBytes).length, mostLost)
  return tokens.every((entry) => {
    const end = tokenEnd(entry, bytes, at)
    if (end < 0) lost -= partLength(entry)
    else at = end
    return lost >= 0
  })
}

/** The bytes of a token that is less than a character. */
function partLength(entry: unknown): number {
  const token = tokenOf(entry)
  if (token === undefined || !isWritten(token) || (isFields(entry) && !areAlternatives(entry.top_logprobs))) return Infinity
  const said = bytesIn(entry) || fromHex(token.replace(/^bytes: ?/, ''))
  return said !== '' && isPart(said) ? said.length : Infinity
}

/** The end of an entry's token in the bytes of a text from a position on; -1 if it is not there. */
export function tokenEnd(entry: unknown, text: string, from: number): number {
  const token = tokenOf(entry)
  const said = bytesIn(entry)
  if (token === undefined || said === undefined || (isFields(entry) && !areAlternatives(entry.top_logprobs))) return -1
  if (isMark(token.trim())) return said === '' || said === bytesOf(token) ? from : -1
  const end = wordsEnd(token, text, from)
  const ofBytes = end < 0 ? -1 : bytesEnd(said, text, from)
  return ofBytes < 0 ? -1 : Math.max(end, ofBytes)
}

/** Whether an entry's token cannot be searched: white space, or a part of a character whose bytes are lost. */
export function isUnplaced(entry: unknown): boolean {
  const said = bytesIn(entry) || bytesOf(tokenOf(entry) ?? '')
  return said !== '' && withoutSpace(said.split(unknownBytes).join('')) === ''
}

/** The bytes of an entry's token; undefined when its bytes are not those of its token. */
export function exactBytes(entry: unknown): string | undefined {
  const token = tokenOf(entry)
  const given = bytesIn(entry)
  if (token === undefined || given === undefined) return undefined
  const own = bytesOf(token)
  if (given === '' || given === own) return own
  return isWritten(token) || (given.startsWith(own) && isPart(given.slice(own.length))) || isSame(token, given) ? given : undefined
}

function isWritten(token: string): boolean {
  return token.replace(written, '').split(unknown).join('') === ''
}

/** Whether bytes are only a part of a character. */
function isPart(bytes: string): boolean {
  return bytes.length < 4 && /^[\u0080-\u00FF]*$/.test(bytes)
}

function isSame(token: string, given: string): boolean {
  return withoutSpace(bytesOf(token.replace(spaces, ' '))) === withoutSpace(given)
}

/** Whether an entry has no text, not even alternatives. */
export function isSilent(entry: unknown): boolean {
  return isNothing(tokenOf(entry)) && bytesIn(entry) === '' && (!isFields(entry) || hasNone(entry.top_logprobs))
}

function hasNone(list: unknown): boolean {
  return isNothing(list) || (Array.isArray(list) && list.length === 0)
}

function tokenOf(entry: unknown): string | undefined {
  const token: unknown = isFields(entry) ? entry.token : entry
  return typeof token === 'string' ? token : undefined
}

/** The bytes that an entry lists, empty if they are invisible; undefined if they are not bytes. */
function bytesIn(entry: unknown): string | undefined {
  const bytes: unknown = isFields(entry) ? entry.bytes : undefined
  if (isNothing(bytes)) return ''
  if (!Array.isArray(bytes) || !bytes.every(isByte)) return undefined
  return bytes.every((byte) => byte < 0x20) ? '' : characters(Uint8Array.from(bytes))
}

function isByte(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 255
}

/** Where the words of a token end; what looks like written bytes may be text. */
function wordsEnd(token: string, text: string, from: number): number {
  const whole = bytesOf(token)
  if (text.startsWith(whole, from)) return from + whole.length
  const literal = bytesOf(token.trim())
  const found = token.includes('\uFFFD') ? -1 : text.indexOf(literal, from)
  if (found >= 0) return literal === '' ? from : found + literal.length
  let at = from
  for (const [index, piece] of token.replace(spaces, ' ').split(written).entries()) {
    if (piece === undefined) continue
    const words = index % 3 === 0 ? piece.split(unknown).map((word) => bytesOf(word.trim())) : [fromHex(piece)]
    for (const word of words) {
      at = bytesEnd(word, text, at)
      if (at < 0) return -1
    }
  }
  return at
}

function fromHex(piece: string): string {
  return piece.replace(/(?:\\x)?([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

function bytesEnd(said: string, text: string, from: number): number {
  if (text.startsWith(said, from)) return from + said.length
  let at = from
  for (const piece of said.split(unknownBytes)) {
    const word = withoutSpace(piece)
    const found = text.indexOf(word, at)
    if (found < 0) return -1
    if (word !== '') at = found + word.length
  }
  return at
}

/** Trims white space; other bytes may be parts of characters. */
function withoutSpace(bytes: string): string {
  let [start, end] = [0, bytes.length]
  while (start < end && isSpace(bytes.charCodeAt(start))) start++
  while (end > start && isSpace(bytes.charCodeAt(end - 1))) end--
  return bytes.slice(start, end)
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)
}

function isMark(token: string): boolean {
  return numbered.test(token) || marks.has(bracketed.exec(token)?.[1] ?? '')
}

/** Alternative tokens are in no text, but must be tokens. */
function areAlternatives(alternatives: unknown): boolean {
  if (isNothing(alternatives)) return true
  return Array.isArray(alternatives) && alternatives.every((one) => isFields(one) && (exactBytes(one)?.length ?? Infinity) <= mostOfToken)
}
