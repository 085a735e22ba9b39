import { char, isCloser, isQuote } from '../characters.ts'
import type { Scan } from '../scan.ts'
import { closeWith } from './closing.ts'
import { takeEllipsis } from './filler.ts'

/** Reads the start of a value; false when more text is needed. */
export function readValueStart(scan: Scan, code: number): boolean {
  if (scan.start < 0) startAt(scan)
  const { window, frames } = scan
  if (code === char.openBrace || code === char.openBracket) {
    scan.open(code === char.openBrace ? 'object' : 'array')
    window.at++
    return true
  }
  if (isQuote(code) || code === char.backslash) return openString(scan)
  const kind = frames.top?.kind
  if (isCloser(code) || code === char.comma) {
    if (kind === 'array') return isCloser(code) ? closeWith(scan, code) : extraComma(scan)
    if (kind === 'object') return missingValue(scan, 'null')
    return scan.fail(kind === 'call' ? 'a value was expected' : 'a closing bracket without an opening one')
  }
  if (code === char.dot || code === char.ellipsis) {
    const dots = takeEllipsis(scan)
    if (dots !== 'none') return dots === 'taken'
  }
  if (code === char.colon || code === char.semicolon || code === char.equals || code === char.closeParen || code === char.openParen) {
    return scan.fail('a sign that cannot start a value')
  }
  scan.bare.open(scan.place)
  scan.state = 'bare'
  return true
}

/** What was changed before the value does not belong to it. */
function startAt(scan: Scan): void {
  scan.start = scan.window.offset
  scan.edits.list.length = 0
}

/** Opens a string; false when more text is needed. */
export function openString(scan: Scan): boolean {
  if (!scan.string.open(scan.place)) return false
  scan.state = 'string'
  return true
}

/** repair: a key without a value */
export function missingValue(scan: Scan, written: string): true {
  scan.insert(written, 'missing-value', 'guess')
  return scan.put(null)
}

/** repair: a comma with nothing before it */
export function extraComma(scan: Scan): true {
  return scan.replace(1, '', 'extra-comma')
}
