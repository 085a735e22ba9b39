import { isSpace } from '../../../json/scan.ts'
import { char, isCloser, isQuote, isWord } from '../characters.ts'
import type { Frames } from '../frames.ts'
import {
  type Ahead,
  atRim,
  isFiller,
  isItemBehindComma,
  isKey,
  isMemberBehindComma,
  isNamePart,
  isStringItem,
  isWholeScalar,
  isWholeString,
  skipSpace,
} from './lookahead.ts'
import type { Rim } from './text-window.ts'

const mostSwallowed = 8

/** Where a string is: in an object as key or value, in an array, as the argument of a call, or alone. */
export type StringPlace = 'key' | 'member' | 'item' | 'call' | 'root'

/** A quote in a string with its surroundings. */
interface QuoteView {
  readonly place: StringPlace
  /** The brackets that are open. */
  readonly frames: Frames
  /** The text from the quote on, as far as decisions look. */
  readonly ahead: string
  readonly rim: Rim
  /** The text of the string before the quote, as far as decisions look. */
  readonly behind: string
  /** Whether a quotation inside the string is open: an odd number of quotes was taken for text. */
  readonly quoting: boolean
}

/**
 * What a quote is: the end of its string, part of the text, the first of `skip` characters between two strings that are one,
 * or a sign that the string should have ended `back` characters before.
 */
type QuoteRole = 'end' | 'text' | 'more' | { readonly skip: number } | { readonly back: number }

/** Decides what a quote is by what follows; when that is not an end, by what precedes it. */
export function roleOfQuote(view: QuoteView): QuoteRole {
  const { ahead, rim, place } = view
  const next = skipSpace(ahead, 1)
  if (place === 'root') return 'end'
  if (next >= ahead.length) return rim === 'open' ? 'more' : 'end'
  if (place === 'key') return roleInKey(view, next)
  const code = ahead.charCodeAt(next)
  if (code === char.plus && !view.quoting) {
    // repair: strings that are put together with a plus sign
    const quote = skipSpace(ahead, next + 1)
    if (quote >= ahead.length && rim === 'open') return 'more'
    if (isQuote(ahead.charCodeAt(quote))) return { skip: quote + 1 }
  }
  const ends = isEnd(view, next)
  if (ends === 'more') return 'more'
  return ends ? 'end' : roleInText(view, next)
}

function isEnd(view: QuoteView, next: number): Ahead {
  const { ahead, rim, place } = view
  const code = ahead.charCodeAt(next)
  // A quotation within brackets within the string, as in code: neither a comma nor a closer after it says anything.
  if (view.quoting && (isCloser(code) || code === char.comma) && openBrackets(view.behind) > 0) return false
  if (isCloser(code)) return closesContainers(view, next)
  if (code === char.closeParen && place === 'call') return true
  if (code === char.comma) return (place === 'item' ? isItemBehindComma : isMemberBehindComma)(ahead, next + 1, rim)
  if (next + 2 >= ahead.length && rim === 'open') return 'more'
  if (code === char.semicolon && place === 'member') return isMemberBehindComma(ahead, next + 1, rim)
  if (isFiller(ahead, next)) return true
  const newLine = ahead.slice(1, next).includes('\n')
  if (place === 'member') {
    // repair: a missing comma before the next key; a key without quotes needs a new line to be seen
    return isQuote(code) || newLine ? isKey(ahead, next, rim, isQuote(code)) : false
  }
  if (code === char.colon || code === char.openBrace || newLine) return true
  if (isQuote(code)) return next > 1 || isWholeString(ahead, next, rim)
  return isWholeScalar(ahead, next, rim)
}

/** A quote before closers: they close everything, or something sensible goes on after them. */
function closesContainers({ ahead: text, rim, frames, quoting }: QuoteView, from: number): Ahead {
  const { depth } = frames
  let closers = 0
  let at = from
  while (isCloser(text.charCodeAt(at)) && closers < depth) {
    closers++
    at = skipSpace(text, at + 1)
  }
  if (closers >= depth) {
    if (!quoting) return true
    if (at >= text.length) return atRim(rim, true, true)
    return isWord(text.charCodeAt(at)) ? isNot(hasStringEnd(text, at, rim)) : true
  }
  if (at + 2 >= text.length && rim === 'open') return 'more'
  if (at >= text.length) return true
  const code = text.charCodeAt(at)
  if (!isWord(code)) return code !== char.dot || isFiller(text, at)
  if (isSpace(text.charCodeAt(at - 1)) && text.slice(from, at).includes('\n')) return true
  const scalar = isWholeScalar(text, at, rim)
  return scalar === false ? isKey(text, at, rim) : scalar
}

function isNot(ahead: Ahead): Ahead {
  return ahead === 'more' ? 'more' : !ahead
}

/** Whether a quote before a comma or a closer is in the rest of this line. */
function hasStringEnd(text: string, from: number, rim: Rim): Ahead {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === char.newline) return false
    if (code !== char.quote) continue
    const next = skipSpace(text, at + 1)
    if (next >= text.length) break
    if (text.charCodeAt(next) === char.comma || isCloser(text.charCodeAt(next))) return true
  }
  return atRim(rim, false, false)
}

/** A quote in a key: after it comes a colon, or at least a value. */
function roleInKey({ ahead, rim, behind }: QuoteView, next: number): QuoteRole {
  const code = ahead.charCodeAt(next)
  if (code === char.colon || code === char.comma || code === char.equals || isCloser(code)) return 'end'
  const colon = lastVisible(behind, behind.length)
  if (behind.charCodeAt(colon) === char.colon && colon > 0) {
    // repair: the key's closing quote is missing, and this one opens its value
    const value = isWholeString(ahead, 0, rim)
    if (value === 'more') return 'more'
    if (value) return { back: behind.length - colon }
  }
  if (isQuote(code)) {
    const colonAt = skipSpace(ahead, next + 1)
    if (colonAt >= ahead.length && rim === 'open') return 'more'
    return next === 1 && ahead.charCodeAt(colonAt) === char.colon ? 'text' : 'end'
  }
  const goesOn = isKeyGoingOn(ahead, next, rim)
  if (goesOn === 'more') return 'more'
  return goesOn ? 'text' : 'end'
}

/** Words, another quote, and a colon: the quote was part of the key. */
function isKeyGoingOn(text: string, from: number, rim: Rim): Ahead {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === char.newline || code === char.comma || code === char.colon || code === char.openBrace || isCloser(code)) return false
    if (code !== char.quote) continue
    const next = skipSpace(text, at + 1)
    if (next >= text.length) break
    if (text.charCodeAt(next) === char.colon) return true
  }
  return atRim(rim, false, false)
}

/** A quote amid text: perhaps one that opens the next key or value, since the end of this string was forgotten. */
function roleInText(view: QuoteView, next: number): QuoteRole {
  const { place, ahead, rim, behind } = view
  const last = lastVisible(behind, behind.length)
  const newLine = behind.slice(last + 1).includes('\n')
  const code = behind.charCodeAt(last)
  if (last >= 0 && (code === char.comma || newLine) && openBrackets(behind) <= 0) {
    const outer = roleBehindClosers(view, code === char.comma ? last : last + 1)
    if (outer !== 'text') return outer
    const follows = place === 'item' ? isStringItem(ahead, 0, rim) : isKey(ahead, 0, rim, true)
    if (follows === 'more') return 'more'
    if (follows) return { back: behind.length - (code === char.comma ? last : last + 1) }
  }
  if (place !== 'member') return 'text'
  const opensValue = code === char.colon
  if (!opensValue && ahead.charCodeAt(next) !== char.colon) return 'text'
  // repair: `, key: "` or `, key":` inside a string
  const comma = commaBeforeName(behind, opensValue ? last : behind.length)
  if (comma < 0) return 'text'
  const whole: Ahead = opensValue ? isWholeString(ahead, 0, rim) : true
  if (whole === 'more') return 'more'
  return whole ? { back: behind.length - comma } : 'text'
}

/** repair: the end of this string was forgotten, and the closers after it were swallowed up to `end` */
function roleBehindClosers({ ahead, rim, behind, frames }: QuoteView, end: number): QuoteRole {
  const missing = frames.closers(mostSwallowed)
  const from = swallowedFrom(behind.slice(0, end), missing)
  if (from < 0) return 'text'
  const outer = missing[behind.slice(from, end).replace(/\s/g, '').length]
  if (outer === undefined) return 'text'
  const follows = outer === '}' ? isKey(ahead, 0, rim, true) : isStringItem(ahead, 0, rim)
  if (follows === 'more') return 'more'
  return follows ? { back: behind.length - from } : 'text'
}

/** How many brackets are open at the end of a text. */
function openBrackets(text: string): number {
  // Asked for every quote of a text: most have none, which the engine sees much faster than this loop.
  if (!/[({[]/.test(text)) return 0
  let open = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === char.openBrace || code === char.openBracket || code === char.openParen) open++
    else if ((isCloser(code) || code === char.closeParen) && open > 0) open--
  }
  return open
}

/** The index of the comma before the name that ends at `end`; -1 when there is no name or no comma. */
function commaBeforeName(text: string, end: number): number {
  const last = lastVisible(text, end)
  let first = last
  while (first >= 0 && isNamePart(text.charCodeAt(first))) first--
  if (first === last) return -1
  const comma = lastVisible(text, first + 1)
  return text.charCodeAt(comma) === char.comma ? comma : -1
}

/** The index of the last character before `end` that is not white space; -1 when there is none. */
function lastVisible(text: string, end: number): number {
  let at = end - 1
  while (at >= 0 && isSpace(text.charCodeAt(at))) at--
  return at
}

/** The index from which a text is nothing but closers that are missing, with white space before them; -1 when there are none. */
function swallowedFrom(text: string, missing: string): number {
  let found = ''
  let first = text.length
  let at = text.length - 1
  for (; at >= 0 && found.length < missing.length; at--) {
    const code = text.charCodeAt(at)
    if (isSpace(code)) continue
    if (!isCloser(code)) break
    found = text[at] + found
    first = at
  }
  if (found === '' || !missing.startsWith(found) || isBalanced(text, found)) return -1
  while (first > 0 && isSpace(text.charCodeAt(first - 1))) first--
  return first
}

/** Whether the closers at the end belong to openers in the same text. */
function isBalanced(text: string, closers: string): boolean {
  let open = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === char.openBrace || code === char.openBracket) open++
    else if (isCloser(code) && at < text.length) open--
  }
  return open > -closers.length
}
