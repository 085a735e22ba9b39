import { type FenceOpening, readFenceOpening } from './fence.ts'

/** White space other than spaces and tabs, and characters without a width. */
const foreign = /[^\S \t]|[\u200B-\u200F\u2060\uFEFF]/
const everyForeign = new RegExp(foreign, 'g')
/** A bullet, or a number with a delimiter. */
const marker = /[-+*]|\d{1,9}[.)]/y

/** Where a line goes on after white space and the marks of lists and quotes. */
export function afterMarks(line: string): number {
  let at = 0
  for (;;) {
    while (isInvisible(line.charCodeAt(at)) || line.charCodeAt(at) === 62) at++
    marker.lastIndex = at
    if (!marker.test(line) || !isInvisible(line.charCodeAt(marker.lastIndex))) return at
    at = marker.lastIndex
  }
}

/** Reads the opening line of a fence, whatever white space and marks come before it. */
export function readMeantFence(line: string): FenceOpening | undefined {
  return readFenceOpening(line, afterMarks(line))
}

/** A line whose fence no foreign white space hides; as long as before. */
export function withPlainMarks(line: string): string {
  const at = afterMarks(line)
  if (!line.startsWith('```', at) && !line.startsWith('~~~', at)) return line
  return line.slice(0, at).replace(everyForeign, ' ') + line.slice(at)
}

function isInvisible(code: number): boolean {
  if (code < 127) return code === 32 || (code >= 9 && code <= 13)
  return code > 127 && foreign.test(String.fromCharCode(code))
}
