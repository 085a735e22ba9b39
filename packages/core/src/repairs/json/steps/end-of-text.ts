import { readCut, readScalar, readText } from '../readers/bare-token.ts'
import type { Scan } from '../scan.ts'
import { retractEnd } from './unterminated.ts'

/** Closes what is open at the end of the text; the scan may go on when that was read again. */
export function endText(scan: Scan, partial: boolean): void {
  const { window } = scan
  if (scan.state === 'comment') {
    scan.edits.add('comment', 'lossless', scan.comment.start, scan.comment.text, '')
    scan.state = scan.resume
  }
  if (scan.start < 0) {
    scan.fail('no JSON value')
    return
  }
  if (scan.state === 'string') {
    if (!partial && retractEnd(scan)) return
    endCutString(scan)
  } else if (scan.state === 'bare') endCutBare(scan, partial)
  else if (scan.state !== 'after' && scan.cut === 'none') scan.cut = 'inside'
  if (scan.finished) return
  if (scan.state === 'colon' || (scan.state === 'value' && scan.frames.top?.kind === 'object')) {
    scan.insert(scan.state === 'colon' ? ': null' : 'null', 'complete', 'lossy')
    scan.put(null)
  }
  if (scan.state === 'value' && scan.frames.top?.kind !== 'array') {
    scan.fail('no JSON value')
    return
  }
  closeAll(scan, window.offset)
}

/** repair: a string that the end of the text cuts off */
function endCutString(scan: Scan): void {
  const { string, window } = scan
  // Half an escape says nothing.
  const rest = window.text.slice(window.at)
  scan.replace(rest.length, '"', 'complete', 'lossy')
  scan.cut = 'inside'
  if (string.place === 'key') {
    scan.builder.key(string.text)
    scan.state = 'colon'
  } else scan.put(string.text)
}

/** repair: a token that the end of the text cuts off */
function endCutBare(scan: Scan, partial: boolean): void {
  const { bare, frames, edits, window } = scan
  const token = bare.token.trimEnd()
  const whole = bare.isText ? undefined : readScalar(token)
  const exact = whole !== undefined && (whole.rule === 'literal' || token !== bare.token)
  if (frames.depth > 0 && !exact) scan.cut = 'inside'
  const cut = whole ? undefined : readCut(token)
  // A lone sign is not yet a number: a preview shows one, a repair leaves it out.
  if (cut?.value === 0 && !partial && frames.top?.kind === 'array') {
    edits.add('complete', 'lossy', bare.start, token, '')
    scan.state = frames.top.filled ? 'after' : 'value'
    return
  }
  if (frames.depth === 0 && whole === undefined && !(partial && cut)) {
    scan.fail('no JSON value', bare.start)
    return
  }
  if (frames.depth === 0 && cut) scan.cut = 'inside'
  const read = whole ?? cut ?? readText(token, 'lossy')
  if (read.written !== token) edits.add(read.rule, read.class, bare.start, token, read.written)
  window.at = window.text.length
  scan.put(read.value)
}

/** repair: closers that are missing at the end */
function closeAll(scan: Scan, at: number): void {
  const { frames, builder, edits } = scan
  if (frames.depth === 0) return
  if ((frames.top?.comma ?? -1) >= 0) scan.cut = 'inside'
  if (scan.cut === 'none') scan.cut = 'closers'
  scan.dropComma('lossy')
  const closers = frames.closers()
  if (closers !== '') edits.add('missing-closer', scan.cut === 'inside' ? 'lossy' : 'lossless', at, '', closers)
  else if (scan.cut === 'closers') scan.cut = 'none'
  for (; frames.depth > 0; frames.pop()) if (frames.top?.kind !== 'call') builder.close()
  scan.state = 'done'
  scan.end = at
}
