import { isDigit } from '../../../answer/characters.ts'
import { isSpace } from '../../../json/scan.ts'
import { char, closesWith, isCloser, isOddSpace, isQuote, isWord } from '../characters.ts'
import { isScalar } from './bare-token.ts'
import type { Rim } from './text-window.ts'

/** An answer about the text ahead: yes, no, or more text is needed. */
export type Ahead = boolean | 'more'

const longestName = 64

/** The index of the next character that is not white space; the length when there is none. */
export function skipSpace(text: string, from: number): number {
  let at = from
  for (let code = text.charCodeAt(at); isSpace(code) || isOddSpace(code); code = text.charCodeAt(at)) at++
  return at
}

/** The answer where the text ahead ran out: what comes is unknown, too far away to matter, or nothing. */
export function atRim(rim: Rim, far: boolean, end: boolean): Ahead {
  if (rim === 'open') return 'more'
  return rim === 'far' ? far : end
}

/** The index of the quote that closes the string opened at `from`; -1 when there is none in this line. */
function closingQuote(text: string, from: number): number {
  const opener = text.charCodeAt(from)
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === char.backslash) at++
    else if (code === char.newline) return -2
    else if (closesWith(opener, code)) return at
  }
  return -1
}

/** Whether a string starts at `from` that ends in this line, before a comma, a closer or the end. */
export function isWholeString(text: string, from: number, rim: Rim): Ahead {
  const close = closingQuote(text, from)
  if (close === -2) return false
  if (close === -1) return atRim(rim, false, false)
  const next = skipSpace(text, close + 1)
  if (next >= text.length) return atRim(rim, true, true)
  const code = text.charCodeAt(next)
  return code === char.comma || isCloser(code)
}

/** The index after the token of letters, digits and signs that starts at `from`. */
function tokenEnd(text: string, from: number): number {
  let at = from
  for (let code = text.charCodeAt(at); isNamePart(code) || code === char.plus; ) code = text.charCodeAt(++at)
  return at
}

/** Whether a number or literal is at `from`, whatever comes after it. */
export function isScalarAt(text: string, from: number, rim: Rim): Ahead {
  const at = tokenEnd(text, from)
  if (at >= text.length && rim !== 'end') return rim === 'open' ? 'more' : true
  return at > from && isScalar(text.slice(from, at))
}

/** Whether a number or literal is at `from`, before a comma, a closer, a line break, a comment or the end. */
export function isWholeScalar(text: string, from: number, rim: Rim): Ahead {
  const scalar = isScalarAt(text, from, rim)
  if (scalar !== true) return scalar
  const at = tokenEnd(text, from)
  const next = skipSpace(text, at)
  if (text.slice(at, next).includes('\n')) return true
  if (next >= text.length) return atRim(rim, true, true)
  const code = text.charCodeAt(next)
  return code === char.comma || isCloser(code) || code === char.slash || code === char.hash
}

/** Whether a comment, an ellipsis or the end of a code fence starts at `from`. */
export function isFiller(text: string, from: number): boolean {
  const code = text.charCodeAt(from)
  if (code === char.hash || code === char.ellipsis) return true
  if (code === char.slash) return text[from + 1] === '/' || text[from + 1] === '*'
  return text.startsWith('...', from) || text.startsWith('```', from)
}

/** Whether the key of a member starts at `from`; with `colon`, one that a colon follows. */
export function isKey(text: string, from: number, rim: Rim, colon = false): Ahead {
  const code = text.charCodeAt(from)
  if (isQuote(code)) return isQuotedKey(text, from, rim, colon)
  return isWord(code) ? isNameWithValue(text, from, rim) : false
}

function isQuotedKey(text: string, from: number, rim: Rim, colon: boolean): Ahead {
  const close = closingQuote(text, from)
  if (close === -2) return false
  // A key too long to be seen whole is taken for one: a string that is right must stay as it is.
  if (close === -1) return atRim(rim, !colon, !colon)
  const next = skipSpace(text, close + 1)
  if (next >= text.length) return atRim(rim, !colon, !colon)
  const code = text.charCodeAt(next)
  if (code === char.colon || code === char.equals) return true
  if (colon) return false
  if (code === char.equals || code === char.closeBrace || code === char.openBrace || code === char.openBracket) return true
  // A missing colon: only a whole value after white space makes it likely.
  if (next === close + 1) return false
  if (isQuote(code)) return isWholeString(text, next, rim)
  return isWholeScalar(text, next, rim)
}

/** A name without quotes, a colon or an equals sign, and after it what can be a value. */
function isNameWithValue(text: string, from: number, rim: Rim): Ahead {
  let at = from
  while (isNamePart(text.charCodeAt(at)) && at - from < longestName) at++
  const colon = skipSpace(text, at)
  if (colon >= text.length) return atRim(rim, false, true)
  const isEquals = text.charCodeAt(colon) === char.equals
  if (!isEquals && text.charCodeAt(colon) !== char.colon) return false
  const next = skipSpace(text, colon + (isEquals && text[colon + 1] === '>' ? 2 : 1))
  if (next >= text.length) return atRim(rim, false, true)
  const code = text.charCodeAt(next)
  if (isQuote(code) || code === char.openBrace || code === char.openBracket || code === char.minus || isDigit(code)) return true
  const scalar = isWholeScalar(text, next, rim)
  return scalar === false ? isBareText(text, next, rim) : scalar
}

/** Whether a character can be part of a name without quotes. */
export function isNamePart(code: number): boolean {
  return isWord(code) || code === char.minus || code === char.dot
}

/** Text without quotes that a closer, a line break or another member ends. */
function isBareText(text: string, from: number, rim: Rim): Ahead {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === char.closeBrace || code === char.newline) return at > from
    if (isQuote(code) || code === char.openBrace || code === char.openBracket || code === char.closeBracket) return false
    if (code !== char.comma) continue
    const next = skipSpace(text, at + 1)
    return next >= text.length ? atRim(rim, false, true) : /["'\w$]/.test(text[next] as string) && isColonBehindName(text, next, rim)
  }
  return atRim(rim, false, true)
}

function isColonBehindName(text: string, from: number, rim: Rim): Ahead {
  let at = from
  while (isNamePart(text.charCodeAt(at)) || isQuote(text.charCodeAt(at))) at++
  at = skipSpace(text, at)
  return at >= text.length ? atRim(rim, false, true) : text.charCodeAt(at) === char.colon
}

/** Whether what is after a comma is another member, or the end of the object. */
export function isMemberBehindComma(text: string, from: number, rim: Rim): Ahead {
  const next = skipSpace(text, from)
  if (next + 2 >= text.length && rim === 'open') return 'more'
  if (next >= text.length) return true
  const code = text.charCodeAt(next)
  if (isCloser(code) || code === char.comma || code === char.openBrace || isFiller(text, next)) return true
  return isKey(text, next, rim)
}

/** Whether what is after a comma is another item, or the end of the array. */
export function isItemBehindComma(text: string, from: number, rim: Rim): Ahead {
  const next = skipSpace(text, from)
  if (next + 2 >= text.length && rim === 'open') return 'more'
  if (next >= text.length) return true
  const code = text.charCodeAt(next)
  if (isCloser(code) || code === char.comma || isFiller(text, next)) return true
  if (isQuote(code) || code === char.openBrace || code === char.openBracket) return true
  const scalar = isWholeScalar(text, next, rim)
  return scalar === false ? isBareItem(text, next, rim) : scalar
}

function isBareItem(text: string, from: number, rim: Rim): Ahead {
  let at = from
  while (isNamePart(text.charCodeAt(at)) && at - from < longestName) at++
  if (at === from) return false
  if (text.charCodeAt(at) === char.openParen) return true
  const next = skipSpace(text, at)
  if (next >= text.length) return atRim(rim, false, true)
  const code = text.charCodeAt(next)
  return code === char.comma || code === char.closeBracket
}

/** Whether a string starts at `from` that is an item, with another item or the end of the array after it. */
export function isStringItem(text: string, from: number, rim: Rim): Ahead {
  const whole = isWholeString(text, from, rim)
  if (whole !== true) return whole
  const next = skipSpace(text, closingQuote(text, from) + 1)
  return text.charCodeAt(next) === char.comma ? isItemBehindComma(text, next + 1, rim) : true
}
