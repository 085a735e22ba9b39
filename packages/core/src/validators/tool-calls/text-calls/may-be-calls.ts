import { mayBeJson } from '../json-fault.ts'
import { callTagAt } from './call-tags.ts'
import type { Tools } from './find.ts'
import { mayBePythonCalls } from './python-calls.ts'

/** Whether a text that is nothing but calls may begin with this one. */
export function mayBeCalls(text: string, tools: Tools): boolean {
  const start = text.trimStart()
  if (start === '') return true
  if (/^[[{]/.test(start) && mayBeJson(start)) return true
  return /^[[\p{L}_]/u.test(start) && mayBePythonCalls(start, tools)
}

/** Whether the content of a fence with calls, perhaps in a tag, may begin with this text. */
export function mayBeFencedCalls(content: string, tools: Tools): boolean {
  const start = content.trimStart()
  return start.startsWith('<') ? callTagAt(start, 0) !== 'none' : mayBeCalls(content, tools)
}
