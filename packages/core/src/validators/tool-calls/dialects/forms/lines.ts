import { endOfBrackets } from '../../../../json/json-walker.ts'
import { calledName, matchAt, type ReadForm } from './reading.ts'
import { readValues } from './values.ts'

const named = /Action:[ \t]{0,4}([\w.-]{1,64})[ \t]{0,4}(?:\r?\n){1,2}Action Input:\s{0,9}(?=\{)/iy
const listed = /Action:\s{0,4}(?=```)/iy

/** Reads `Action: name` with its JSON on a line `Action Input:`, or `Action:` with a list of calls in a fence. */
export const readLines: ReadForm = (text, at, tools) => {
  const head = matchAt(named, text, at)
  if (head === null) {
    const label = matchAt(listed, text, at)?.[0]
    return label === undefined ? undefined : readValues(text, at + label.length, tools)
  }
  const start = at + head[0].length
  const end = endOfBrackets(text, start, text.length)
  return end === undefined ? 'cut' : { calls: [{ name: calledName(head[1] ?? '', tools), arguments: text.slice(start, end) }], end }
}
