import { endOfBrackets } from '../../../../json/json-walker.ts'
import { calledName, matchAt, type ReadForm } from './reading.ts'
import { readValues } from './values.ts'

const name = /[^\s<>[\]{}()|｜"'`,;=]{1,200}/y
/** Marks between the name and the arguments. */
const between =
  /(?:\s|\[args\]|\[call_id\][\w-]{0,100}|<\|[\w:]{1,60}\|>|<｜[^｜<>]{1,40}｜>|```\w{0,20}|<\/?(?:name|tool_name|arguments|parameters|input)>)*/iy
const behind = /\s*```/y

/** Reads a name and the JSON of its arguments, with marks or nothing but white space between them; JSON or Python that has both as well. */
export const readNamed: ReadForm = (text, at, tools) => {
  const written = matchAt(name, text, at)?.[0]
  if (written === undefined) return readValues(text, at, tools)
  const start = at + written.length + (matchAt(between, text, at + written.length)?.[0].length ?? 0)
  if (start >= text.length) return 'cut'
  if (text[start] !== '{') return readValues(text, at, tools)
  const end = endOfBrackets(text, start, text.length)
  if (end === undefined) return 'cut'
  const call = { name: calledName(written, tools), arguments: text.slice(start, end) }
  const isFenced = text.slice(at, start).includes('```')
  return { calls: [call], end: end + (isFenced ? (matchAt(behind, text, end)?.[0].length ?? 0) : 0) }
}
