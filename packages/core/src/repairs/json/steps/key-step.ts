import { char, isCloser, isQuote } from '../characters.ts'
import { readBareKey } from '../readers/key-reader.ts'
import { isWholeScalar } from '../readers/lookahead.ts'
import type { Scan } from '../scan.ts'
import { closeForgotten, closeWith } from './closing.ts'
import { takeEllipsis } from './filler.ts'
import { extraComma, missingValue, openString } from './value-step.ts'

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
