import { endOfMatch, matchAt } from '../../../../answer/span.ts'
import { endOfBrackets } from '../../../../json/json-walker.ts'
import { lenientText } from '../../../../repairs/json/lenient-text.ts'
import { readCalls } from '../../notations/read-calls.ts'
import { type ReadForm, readArguments } from './reading.ts'

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
    if (end !== undefined && calls) return { calls, end: open === '' ? end : (endOfMatch(fenceEnd, text, end) ?? end) }
  }
  return ends.every((end) => end === undefined) ? 'cut' : undefined
}

const name = /[^\s<>[\]{}()|｜"'`,;=]{1,200}/y
/** Marks between the name and the arguments. */
const between =
  /(?:\s|\[args\]|\[call_id\][\w-]{0,100}|<\|[\w:]{1,60}\|>|<｜[^｜<>]{1,40}｜>|```\w{0,20}|<\/?(?:name|tool_name|arguments|parameters|input)>)*/iy

/** Reads a name and the JSON of its arguments, with marks or nothing but white space between them; JSON or Python that has both as well. */
export const readNamed: ReadForm = (text, at, tools) => {
  const written = matchAt(name, text, at)?.[0]
  if (written === undefined) return readValues(text, at, tools)
  const nameEnd = at + written.length
  const start = endOfMatch(between, text, nameEnd) ?? nameEnd
  if (start >= text.length) return 'cut'
  if (text[start] !== '{') return readValues(text, at, tools)
  return readArguments(text, start, written, tools, text.slice(at, start).includes('```') ? fenceEnd : undefined)
}

const labelled = /Action:[ \t]{0,4}([\w.-]{1,64})[ \t]{0,4}(?:\r?\n){1,2}Action Input:\s{0,9}(?=\{)/iy
const listed = /Action:\s{0,4}(?=```)/iy

/** Reads `Action: name` with its JSON on a line `Action Input:`, or `Action:` with a list of calls in a fence. */
export const readLines: ReadForm = (text, at, tools) => {
  const head = matchAt(labelled, text, at)
  if (head !== null) return readArguments(text, at + head[0].length, head[1] ?? '', tools)
  const label = matchAt(listed, text, at)?.[0]
  return label === undefined ? undefined : readValues(text, at + label.length, tools)
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
