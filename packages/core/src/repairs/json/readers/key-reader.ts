import type { RepairClass } from '../../../contract/certificate.ts'
import { char, isCloser, isQuote } from '../characters.ts'
import { isNamePart, skipSpace } from './lookahead.ts'
import { reach, type TextWindow } from './text-window.ts'

/** A key without quotes: its name, the characters that it takes, and how sure that is. */
export interface BareKey {
  readonly name: string
  readonly length: number
  readonly class: RepairClass
}

const oneWord = /^[^\s(),;]+$/

/** Reads a key without quotes, or without the opening one; undefined when there is none. */
export function readBareKey(window: TextWindow): BareKey | 'more' | undefined {
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
