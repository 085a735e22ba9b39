import type { Line } from '../../answer/lines.ts'
import { spanHolds } from '../../answer/span.ts'
import type { ReadOutline } from '../shared/read-outline.ts'

/** The prose of a line: nothing of code, front matter and quotes; inline code, addresses and tags are left out. */
export function proseOf({ text, start }: Pick<Line, 'text' | 'start'>, outline: ReadOutline): string {
  if (outline.inFence(start) || spanHolds(outline.frontMatters, start) || text.trimStart().startsWith('>')) return ''
  return text
    .replace(/`[^`]*`/g, ' ')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/https?:\/\/\S*/g, ' ')
}
