import { endOfBrackets } from '../../../../json/json-walker.ts'
import { lenientText } from '../../../../repairs/json/lenient-text.ts'
import { readCalls } from '../../notations/read-calls.ts'
import { matchAt, type ReadForm } from './reading.ts'

const fence = /```\w{0,20}\s*/y
const fenceEnd = /\s*```/y
const bracketOrName = /[[{]|[\p{L}_][\p{L}\p{N}_.-]{0,200}\s{0,9}(?=[({])/uy

/** Reads JSON or Python, perhaps in a fence. */
export const readValues: ReadForm = (text, at, tools) => {
  const open = matchAt(fence, text, at)?.[0] ?? ''
  const start = at + open.length
  const first = matchAt(bracketOrName, text, start)?.[0]
  if (first === undefined) return undefined
  const bracket = first === '[' || first === '{' ? start : start + first.length
  const ends = [text[bracket] === '(' ? undefined : endOfBrackets(text, bracket, text.length), endOfLiteral(text, bracket)]
  for (const end of new Set(ends)) {
    const piece = end === undefined ? undefined : text.slice(start, end)
    const calls = piece && (readCalls(piece, tools) ?? readCalls(lenientText(piece) ?? '', tools))
    if (end !== undefined && calls) return { calls, end: end + (open === '' ? 0 : (matchAt(fenceEnd, text, end)?.[0].length ?? 0)) }
  }
  return ends.every((end) => end === undefined) ? 'cut' : undefined
}

/** The offset after the bracket that closes the one at `start`, with strings as in Python; undefined when none does. */
function endOfLiteral(text: string, start: number): number | undefined {
  const sign = /["'()[\]{}]/g
  sign.lastIndex = start
  let depth = 0
  for (let found = sign.exec(text); found; found = sign.exec(text)) {
    if ('([{'.includes(found[0])) depth++
    else if (')]}'.includes(found[0]) && --depth === 0) return sign.lastIndex
    else if (found[0] === '"' || found[0] === "'") {
      const end = endOfQuotes(text, found.index, found[0])
      if (end === undefined) return undefined
      sign.lastIndex = end
    }
  }
  return undefined
}

function endOfQuotes(text: string, start: number, mark: string): number | undefined {
  const quote = text.startsWith(mark.repeat(3), start) ? mark.repeat(3) : mark
  for (let at = start + quote.length; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text.startsWith(quote, at)) return at + quote.length
  }
  return undefined
}
