import { readFenceOpening } from '../../../answer/markdown/fence.ts'
import type { Edit } from './edits.ts'

/** The changes that take fence lines off the start and the end of code, where a fence was doubled or has the wrong length. */
export function strayFences(source: string): readonly Edit[] {
  const start = endOfLeadingFence(source)
  const end = startOfTrailingFence(source)
  // Code that is nothing but fences has none.
  if (start >= end) return []
  return [
    ...(start > 0 ? [{ at: 0, length: start, text: '' }] : []),
    ...(end < source.length ? [{ at: end, length: source.length - end, text: '' }] : []),
  ]
}

/** Where the code starts after a fence line; 0 without one. */
function endOfLeadingFence(source: string): number {
  const line = source.trimStart()
  const length = line.search(/[\r\n]/)
  if (length < 0 || readFenceOpening(line.slice(0, length), 0) === undefined) return 0
  return source.length - line.length + length + (line.startsWith('\r\n', length) ? 2 : 1)
}

/** Where the code ends before a bare fence line, with its line break; the length without one. */
function startOfTrailingFence(source: string): number {
  const text = source.trimEnd()
  const lineStart = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1
  const opening = readFenceOpening(text.slice(lineStart).trimStart(), 0)
  if (lineStart === 0 || opening === undefined || opening.info !== '') return source.length
  return text.charAt(lineStart - 2) === '\r' ? lineStart - 2 : lineStart - 1
}
