import { endOfMatch } from '../../../../answer/span.ts'
import type { ToolCall } from '../../../../answer/tool-calls.ts'
import { endOfBrackets } from '../../../../json/json-walker.ts'
import type { CallableTools } from '../../notations/callable-tools.ts'

/** Calls that were read, and where they end. */
export interface Reading {
  readonly calls: readonly ToolCall[]
  readonly end: number
}

/** `cut`: the text ends within a call; undefined: it is written in no way that is known. */
export type ReadResult = Reading | 'cut' | undefined

/** Reads one call, or one list of calls, that begins at an offset. */
export type ReadForm = (text: string, at: number, tools: CallableTools) => ReadResult

/** Reads a call by its name and the JSON object of its arguments, which begins at an offset, with what may follow that. */
export function readArguments(text: string, at: number, name: string, tools: CallableTools, behind?: RegExp): Reading | 'cut' {
  const end = endOfBrackets(text, at, text.length)
  if (end === undefined) return 'cut'
  const call = { name: calledName(name, tools), arguments: text.slice(at, end) }
  return { calls: [call], end: behind === undefined ? end : (endOfMatch(behind, text, end) ?? end) }
}

/** Whether a mark is at an offset, in capitals or small letters. */
export function isMarkAt(mark: string, text: string, at: number): boolean {
  return text.slice(at, at + mark.length).toLowerCase() === mark.toLowerCase()
}

/** The name that a call means: some models write a namespace before it, and a number after it. */
export function calledName(written: string, tools: CallableTools): string {
  const plain = written.replace(/\\[nr]$/, '')
  const bare = plain.replace(/^functions[.:]/, '').replace(/:\d+$/, '')
  const [space, own, ...more] = bare.split('.')
  const twice = space === own && more.length === 0 ? (own ?? bare) : bare
  return [plain, bare, twice].find((name) => tools.find(name)) ?? bare
}
