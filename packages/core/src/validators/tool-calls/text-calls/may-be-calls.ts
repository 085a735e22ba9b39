import { mayBeJson } from '../../../json/json-fault.ts'
import { markAt } from '../dialects/marks.ts'
import type { CallableTools } from '../notations/callable-tools.ts'
import { mayBePythonCalls, mayBePythonValue } from '../notations/python-calls.ts'
import { nextValue, readCalls, withoutPrefix } from '../notations/read-calls.ts'
import { withoutEnd } from './fenced.ts'

/** Whether a text that is nothing but calls may begin with this one. */
export function mayBeCalls(text: string, tools: CallableTools): boolean {
  let start = withoutPrefix(withoutEnd(text.trimStart(), false), false)
  if (start === '' || 'functools['.startsWith(start) || markAt(start, 0, tools) !== 'none' || isHead(start)) return true
  // Of several values of JSON, those that are complete must be calls.
  for (let value = nextValue(start, 0); value && value.end < start.trimEnd().length; value = nextValue(start, 0)) {
    if (value.next === value.end || readCalls(start.slice(0, value.end), tools) === undefined) break
    start = start.slice(value.next)
    if (start === '') return true
  }
  if (/^[[{]/.test(start) && (mayBeJson(start) || mayBePythonValue(start))) return true
  return /^[[\p{L}_\\"']/u.test(start) && mayBePythonCalls(start, tools)
}

/** Whether a text is the head of a message for a tool, or may become it; the prompt may end within it. */
function isHead(text: string): boolean {
  return 'to='.startsWith(text) || /^to=[\w.:-]{0,200}\s{0,9}(?:<|$)/.test(text)
}

/** Whether the content of a fence with calls may begin with this text: below words, marks in a fence are shown, not meant. */
export function mayBeFencedCalls(content: string, tools: CallableTools, hasWords = false): boolean {
  const start = content.trimStart()
  if (markAt(start, 0, tools) === 'mark') return !hasWords
  return start.startsWith('<') ? markAt(start, 0, tools) === 'start' : mayBeCalls(start, tools)
}
