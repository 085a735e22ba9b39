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

/** Whether the content of a fence with calls, perhaps in marks, may begin with this text. */
export function mayBeFencedCalls(content: string, tools: CallableTools): boolean {
  const start = content.trimStart()
  return start.startsWith('<') ? markAt(start, 0, tools) !== 'none' : mayBeCalls(start, tools)
}

/** Fences with calls have a short tag, if any. */
const longestTag = 60

/** Whether a paragraph or a fence that is nothing but calls may begin with this text, perhaps below words. */
export function mayBeUnit(text: string, tools: CallableTools, hasWords: boolean): boolean {
  if (!/^[`~]/.test(text)) return mayBeCalls(text, tools)
  if (/^~{1,2}$/.test(text)) return true
  if (/^`{1,2}(?:$|[^`<\n])/.test(text)) return mayBeCalls(text, tools)
  const fence = /^(?:`{3,}|~{3,})/.exec(text)?.[0]
  const lineEnd = text.indexOf('\n')
  const tag = text.slice(fence?.length, lineEnd < 0 ? text.length : lineEnd)
  if (fence === undefined || tag.length > longestTag || tag.includes('`')) return false
  const content = lineEnd < 0 ? '' : text.slice(lineEnd + 1)
  // Below words, marks in a fence are shown, not meant.
  if (hasWords && markAt(content.trimStart(), 0, tools) === 'mark') return false
  const close = content.lastIndexOf('\n') + 1
  return mayBeFencedCalls(/^ {0,3}[`~]+\s*$/.test(content.slice(close)) ? content.slice(0, close) : content, tools)
}
