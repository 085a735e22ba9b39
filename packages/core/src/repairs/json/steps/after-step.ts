import { char, isCloser, isQuote, isWord } from '../characters.ts'
import { isScalarAt } from '../readers/lookahead.ts'
import type { Scan } from '../scan.ts'
import { closeForgotten, closeForgottenArray, closeWith } from './closing.ts'
import { takeEllipsis } from './filler.ts'

/** Reads what is after a value in a container; false when more text is needed. */
export function readAfter(scan: Scan, code: number): boolean {
  const { window, frames } = scan
  const kind = frames.top?.kind
  if (kind === 'call') return readAfterArgument(scan, code)
  if (code === char.comma) {
    scan.takeComma(window.offset)
    window.at++
    return true
  }
  if (isCloser(code)) return closeWith(scan, code)
  // repair: a semicolon for the comma
  if (code === char.semicolon) return scan.replace(1, '', 'semicolon')
  if (code === char.dot || code === char.ellipsis) {
    const dots = takeEllipsis(scan)
    if (dots !== 'none') return dots === 'taken'
  }
  if (code === char.colon && kind === 'array') return closeForgottenArray(scan)
  if (kind === 'object' && code === char.openBrace && closeForgotten(scan)) return true
  const follows = kind === 'object' ? isQuote(code) || isWord(code) || code === char.backslash : isItemStart(scan, code)
  if (follows === 'more') return false
  if (!follows) return scan.fail('a comma or a closing bracket was expected')
  // repair: a missing comma
  scan.insert(',', 'missing-comma')
  scan.takeComma(-1)
  return true
}

function isItemStart({ window }: Scan, code: number): boolean | 'more' {
  if (isQuote(code) || code === char.openBrace || code === char.openBracket || code === char.backslash) return true
  return isScalarAt(window.ahead(window.at), 0, window.rim(window.at))
}

/** After the one argument of a call there is nothing but its end. */
function readAfterArgument(scan: Scan, code: number): boolean {
  if (code === char.comma) return scan.fail('a call with several arguments')
  // repair: a value inside a function call, as shells of databases print them
  if (code === char.closeParen) scan.replace(1, '', 'function-call', 'lossy')
  return scan.close()
}
