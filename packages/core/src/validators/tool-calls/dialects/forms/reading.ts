import type { ToolCall } from '../../../../answer/tool-calls.ts'
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

/** What a pattern with the flag `y` finds at an offset. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
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
