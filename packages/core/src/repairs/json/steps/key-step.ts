import type { RepairClass } from '../../../contract/certificate.ts'
import { char, isCloser, isQuote } from '../characters.ts'
import { isNamePart, isWholeScalar, skipSpace } from '../readers/lookahead.ts'
import { reach, type TextWindow } from '../readers/text-window.ts'
import type { Scan } from '../scan.ts'
import { closeForgotten, closeWith } from './closing.ts'
import { takeEllipsis } from './filler.ts'
import { extraComma, missingValue, openString } from './value-step.ts'

/** A key without quotes: its name, the characters that it takes, and how sure that is. */
interface BareKey {
  readonly name: string
  readonly length: number
  readonly class: RepairClass
}

const oneWord = /^[^\s(),;]+$/

/** Reads a key without quotes, or without the opening one; undefined when there is none. */
function readBareKey(window: TextWindow): BareKey | 'more' | undefined {
  const { text, at } = window
  let end = at
  while (isNamePart(text.charCodeAt(end)) && end - at < reach - 1) end++
  // The usual case: a name, and its colon right after it.
  if (end > at && text.charCodeAt(end) === char.colon) return { name: text.slice(at, end), length: end - at, class: 'lossless' }
  const ahead = window.ahead(at)
  const rim = window.rim(at)
  const stop = stopOf(ahead)
  const name = ahead.slice(0, stop).trimEnd()
  if (stop >= ahead.length) {
    if (rim === 'open') return 'more'
    return rim === 'end' && name !== '' && oneWord.test(name) ? { name, length: name.length, class: 'guess' } : undefined
  }
  const code = ahead.charCodeAt(stop)
  const next = skipSpace(ahead, stop + (isQuote(code) ? 1 : 0))
  if (next >= ahead.length && rim === 'open') return 'more'
  if (name === '' || name.includes('\0')) return undefined
  const colon = ahead.charCodeAt(next) === char.colon || ahead.charCodeAt(next) === char.equals
  if (colon) {
    // repair: a key without quotes, or with the closing one only
    if (isQuote(code) && stop > name.length) return undefined
    return { name, length: isQuote(code) ? stop + 1 : name.length, class: oneWord.test(name) ? 'lossless' : 'guess' }
  }
  const value = isQuote(code) || code === char.openBrace || code === char.openBracket
  return value && oneWord.test(name) && stop > name.length ? { name, length: name.length, class: 'lossless' } : undefined
}

/** The index of what ends a key. */
function stopOf(ahead: string): number {
  for (let at = 0; at < ahead.length && at < reach; at++) {
    const code = ahead.charCodeAt(at)
    if (code === char.colon || code === char.equals || code === char.comma || code === char.newline || code === char.return) return at
    if (isCloser(code) || code === char.openBrace || code === char.openBracket) return at
    // An apostrophe belongs to a name as in `it's`, unless a colon follows.
    if (isQuote(code) && (code !== char.apostrophe || /^\s*:/.test(ahead.slice(at + 1, at + 8)))) return at
  }
  return ahead.length
}

const prefix = /^(?:[bfu]|r[bf]?|[bf]r)(?=['"][^:\s])/i
/** How many characters decide whether there is a prefix. */
const prefixReach = 4

/** Reads the start of a key, or what is in its place; false when more text is needed. */
export function readKeyStart(scan: Scan, code: number): boolean {
  if (isCloser(code)) return closeWith(scan, code)
  if (isQuote(code) || code === char.backslash) return openString(scan)
  if (code === char.comma) return extraComma(scan)
  if (code === char.dot || code === char.ellipsis) {
    const dots = takeEllipsis(scan)
    if (dots !== 'none') return dots === 'taken'
  }
  if (code === char.openBrace && closeForgotten(scan)) return true
  const { window } = scan
  if (/[bfru]/i.test(window.text[window.at] ?? '') && window.text.length - window.at < prefixReach && !window.ended) return false
  const [letters] = prefix.exec(window.text.slice(window.at, window.at + prefixReach)) ?? []
  if (letters !== undefined) {
    scan.string.takePrefix(letters, window.offset)
    window.at += letters.length
    return true
  }
  const key = readBareKey(window)
  if (key === 'more') return false
  if (key === undefined) return scan.fail('a key was expected')
  // repair: a key without quotes
  scan.replace(key.length, JSON.stringify(key.name), 'quote-key', key.class)
  scan.builder.key(key.name)
  scan.state = 'colon'
  return true
}

/** Reads the colon after a key, or what is in its place; false when more text is needed. */
export function readColon(scan: Scan, code: number): boolean {
  const { window } = scan
  if (code === char.colon) window.at++
  else if (code === char.equals) {
    if (window.text.length - window.at < 2 && !window.ended) return false
    // repair: an equals sign or an arrow for the colon
    scan.replace(window.text[window.at + 1] === '>' ? 2 : 1, ':', 'colon')
  } else if (code === char.comma || isCloser(code)) return missingValue(scan, ': null')
  else {
    const value = isQuote(code) || code === char.openBrace || code === char.openBracket || code === char.backslash
    const ahead = value || isWholeScalar(window.ahead(window.at), 0, window.rim(window.at))
    if (ahead === 'more') return false
    if (!ahead) return scan.fail('a colon was expected')
    // repair: a missing colon
    scan.insert(':', 'missing-colon')
  }
  scan.state = 'value'
  return true
}
