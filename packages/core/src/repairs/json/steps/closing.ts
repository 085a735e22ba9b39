import { char, isCloser } from '../characters.ts'
import { closerOf, type Frame } from '../frames.ts'
import { type Ahead, isMemberBehindComma, skipSpace } from '../readers/lookahead.ts'
import type { Scan } from '../scan.ts'

/** Closes the innermost container with a bracket that may be the wrong one; false when more text is needed. */
export function closeWith(scan: Scan, code: number): boolean {
  const { frames, window } = scan
  const top = frames.top
  if (top === undefined) return scan.fail('a closing bracket without an opening one')
  const kind = code === char.closeBrace ? 'object' : 'array'
  if (top.kind === kind) {
    scan.dropComma()
    window.at++
    return scan.close()
  }
  const repair = repairOf(scan, top, top[kind])
  if (repair === 'more') return false
  scan.dropComma()
  const right = closerOf(top.kind)
  if (repair === 'insert') {
    // repair: a container that was not closed
    scan.insert(right, 'missing-closer')
    return scan.close()
  }
  // repair: a bracket that closes nothing
  if (repair === 'drop') {
    scan.replace(1, '', 'stray-closer', 'lossy')
    scan.state = top.filled ? 'after' : scan.state
    return true
  }
  // repair: closed with the wrong bracket
  scan.replace(1, right, 'wrong-closer')
  return scan.close()
}

/** What to do about a wrong bracket, by what comes after it; `outer` is the depth of what it would close. */
function repairOf(scan: Scan, top: Frame, outer: number): 'insert' | 'replace' | 'drop' | 'more' {
  const { window, frames } = scan
  const ahead = window.ahead(window.at)
  const rim = window.rim(window.at)
  const next = skipSpace(ahead, 1)
  if (next >= ahead.length && rim === 'open') return 'more'
  const code = ahead.charCodeAt(next)
  if (outer < 0 && frames.depth > 1) return 'replace'
  const member: Ahead = code === char.comma && isMemberBehindComma(ahead, next + 1, rim)
  if (member === 'more') return 'more'
  if (outer < 0) return code === char.comma || (isCloser(code) && ahead[next] === closerOf(top.kind)) ? 'drop' : 'replace'
  if (fits(frames.at(outer - 1), code, member)) return 'insert'
  return fits(frames.parent, code, member) ? 'replace' : 'insert'
}

/** Whether what comes can occur in this container; after the outermost one it is neither a comma nor a closer. */
function fits(parent: Frame | undefined, code: number, member: boolean): boolean {
  if (parent === undefined) return code !== char.comma && !isCloser(code)
  if (code === char.comma) return member === (parent.kind === 'object')
  return code === (parent.kind === 'object' ? char.closeBrace : char.closeBracket)
}

/** repair: an object in an array that was not closed before the next one starts */
export function closeForgotten(scan: Scan): boolean {
  const { frames, window } = scan
  const frame = frames.top
  if (frame === undefined || !frame.filled || frames.parent?.kind !== 'array') return false
  const { comma, commaEdits } = frame
  const start = comma < 0 ? window.offset : comma
  const edit = { rule: 'missing-closer', class: 'lossless', start, before: '', after: '}' } as const
  if (comma < 0) scan.edits.list.push(edit)
  else scan.edits.addLate(commaEdits, edit)
  scan.close()
  if (comma >= 0) scan.takeComma(comma)
  const parent = frames.top
  if (parent !== undefined && comma >= 0) parent.commaEdits = commaEdits + 1
  return true
}

/** repair: an array in an object that was not closed before the next key, which was taken for an item */
export function closeForgottenArray(scan: Scan): boolean {
  const { frames, builder } = scan
  const frame = frames.top
  if (frame === undefined || frame.lastComma < 0 || frames.parent?.kind !== 'object') return scan.fail('a colon in an array')
  const key = builder.takeBack()
  if (typeof key !== 'string') return scan.fail('a colon in an array')
  scan.edits.addLate(frame.commaEdits, { rule: 'missing-closer', class: 'lossless', start: frame.lastComma, before: '', after: ']' })
  scan.close()
  builder.key(key)
  scan.state = 'colon'
  return true
}
