import { char } from '../characters.ts'
import { isFiller } from '../readers/lookahead.ts'
import type { Scan } from '../scan.ts'

const ellipsis = /^(?:\.{3}|…)$/

/** repair: three dots stand for what was left out */
export function takeEllipsis(scan: Scan): 'none' | 'taken' | 'more' {
  const { window, frames } = scan
  const { text, at, ended } = window
  const length = text.charCodeAt(at) === char.ellipsis ? 1 : 3
  if (text.length - at < length + 1 && !ended) return 'more'
  if (!ellipsis.test(text.slice(at, at + length)) || /[\w."'$]/.test(text[at + length] ?? '')) return 'none'
  const member = scan.state === 'value' && frames.top?.kind === 'object'
  scan.replace(length, member ? 'null' : '', 'ellipsis', 'lossy')
  if (member) scan.put(null)
  return 'taken'
}

/** repair: comments; `none` when there is none here */
export function takeComment(scan: Scan, code: number): 'none' | 'taken' | 'more' {
  const { window } = scan
  const { text, at, ended } = window
  if (text.length - at < 3 && !ended) return 'more'
  if (!isFiller(text, at)) return 'none'
  if (code === char.backtick) {
    const frame = scan.frames.top
    if (scan.state !== 'after' && !frame?.filled) {
      scan.fail('a fence where a value was expected')
      return 'taken'
    }
    // A fence ends the text, whatever is open.
    scan.fenced = true
    return 'taken'
  }
  // A value may start with a hash sign, as colours do.
  if (code === char.hash && scan.state === 'value' && scan.frames.top?.comma === -1 && /\S/.test(text[at + 1] ?? ' ')) return 'none'
  scan.resume = scan.state
  scan.state = 'comment'
  scan.comment.open(code === char.hash ? 1 : 2)
  return 'taken'
}
