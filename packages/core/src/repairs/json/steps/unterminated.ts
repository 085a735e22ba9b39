import { char } from '../characters.ts'
import { isNamePart, skipSpace } from '../lookahead.ts'
import { swallowedFrom } from '../readers/swallowed.ts'
import type { Scan } from '../scan.ts'

/** repair: at the end of the text, an open string gives back the closers that it swallowed, and the members before them */
export function retractEnd(scan: Scan): boolean {
  const { window, string, frames } = scan
  if (window.at < window.text.length || string.place === 'key' || frames.depth === 0) return false
  const behind = window.behind(string.start)
  const from = swallowedFrom(behind, frames.closers(behind.length))
  if (from < 0) return false
  const member = string.place === 'member' ? memberIn(behind.slice(0, from), scan) : -1
  string.retract(behind.length - (member < 0 ? from : member))
  scan.put(string.text)
  return true
}

/** The index of the first `, name:` with something after it, in the part without escapes; -1 when there is none. */
function memberIn(text: string, { builder }: Scan): number {
  const plain = text.lastIndexOf('\\') + 2
  for (let comma = text.indexOf(',', plain > 1 ? plain : 0); comma >= 0; comma = text.indexOf(',', comma + 1)) {
    const from = skipSpace(text, comma + 1)
    let at = from
    while (isNamePart(text.charCodeAt(at))) at++
    // A name that is taken already is a word of the text.
    if (at > from && !builder.has(text.slice(from, at)) && text.charCodeAt(at) === char.colon && skipSpace(text, at + 1) < text.length)
      return comma
  }
  return -1
}
