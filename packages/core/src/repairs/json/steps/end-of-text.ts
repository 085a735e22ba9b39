import { readCut, readScalar, readText } from '../readers/bare-token.ts'
import type { Scan } from '../scan.ts'

/** Ends the text: closers may be missing after a complete value; whatever else is open was cut off, and only a preview completes it. */
export function endText(scan: Scan, partial: boolean): void {
  if (scan.state === 'comment') {
    scan.edits.add('comment', 'lossless', scan.comment.start, scan.comment.text, '')
    scan.state = scan.resume
  }
  if (scan.start < 0) {
    scan.fail('no JSON value')
    return
  }
  if (scan.state === 'bare' && scan.frames.depth === 0) endRoot(scan, partial)
  else if (partial || isWhole(scan)) closeAll(scan)
  else {
    scan.cut = 'inside'
    scan.fail('the text ends inside a value')
  }
}

/** Whether the text ends after a complete value; a fence ends what comes before it, so that a comma there is only one too many. */
function isWhole({ state, fenced, frames }: Scan): boolean {
  return state === 'after' || (fenced && (frames.top?.comma ?? -1) >= 0)
}

/** A number or literal that is the whole text is complete; whether it was longer cannot be known. */
function endRoot(scan: Scan, partial: boolean): void {
  const { bare } = scan
  const token = bare.token.trimEnd()
  const isComplete = !bare.isText && readScalar(token) !== undefined
  if (!isComplete && readCut(token)) scan.cut = 'inside'
  if (isComplete || (partial && scan.cut === 'inside')) endBare(scan)
  else scan.fail('no JSON value', bare.start)
}

/** repair: closers that are missing at the end, and for a preview what the end of the text cuts off */
function closeAll(scan: Scan): void {
  const { frames, builder, edits, window } = scan
  scan.cut = isWhole(scan) ? 'closers' : 'inside'
  if (scan.state === 'string') endString(scan)
  else if (scan.state === 'bare') endBare(scan)
  if (scan.finished) return
  if (scan.state === 'colon' || (scan.state === 'value' && frames.top?.kind === 'object')) {
    scan.insert(scan.state === 'colon' ? ': null' : 'null', 'complete', 'guess')
    scan.put(null)
  }
  if (scan.state === 'value' && frames.top?.kind !== 'array') {
    scan.fail('no JSON value')
    return
  }
  scan.dropComma('guess')
  const at = window.offset
  const closers = frames.closers()
  if (closers !== '') edits.add('missing-closer', 'guess', at, '', closers)
  for (; frames.depth > 0; frames.pop()) if (frames.top?.kind !== 'call') builder.close()
  scan.state = 'done'
  scan.end = at
}

/** repair: a string that the end of the text cuts off */
function endString(scan: Scan): void {
  const { string, window } = scan
  // Half an escape says nothing.
  const rest = window.text.slice(window.at)
  scan.replace(rest.length, '"', 'complete', 'guess')
  if (string.place === 'key') {
    scan.builder.key(string.text)
    scan.state = 'colon'
  } else scan.put(string.text)
}

/** repair: a token that the end of the text cuts off */
function endBare(scan: Scan): void {
  const { bare, edits, window } = scan
  const token = bare.token.trimEnd()
  const read = (bare.isText ? undefined : readScalar(token)) ?? readCut(token) ?? readText(token, 'guess')
  if (read.written !== token) edits.add(read.rule, read.class, bare.start, token, read.written)
  window.at = window.text.length
  scan.put(read.value)
}
