import type { TextSpan } from '../../../answer/span.ts'
import type { Marker } from '../marker-scanner.ts'

/** What goes with one marker. */
export interface Cut extends TextSpan {
  /** Whether nothing but marks of quotes, lists and headings is left before it on its line. */
  readonly atHead: boolean
}

/** More marks before the text of a line are none. */
const longestPrefix = 1000
const marks = /^\ufeff?[ \t]*(?:(?:>|(?:[-+*]|[0-9]{1,9}[.)]|#{1,6})(?=[ \t]))[ \t]*)*$/

/** What goes with each marker: white space that would be left over, and the colon of a definition. */
export function cutMarkers(text: string, markers: readonly Marker[], bodyStart: number): Cut[] {
  let last: Cut = { start: bodyStart, end: bodyStart, atHead: true }
  return markers.map(({ span }, index) => {
    const atHead = isHead(text, last, span.start)
    const takesSpace = !atHead && span.start > last.end && text[span.start - 1] === ' ' && leavesGap(text, chainEnd(markers, index))
    last = { start: takesSpace ? span.start - 1 : span.start, end: atHead ? behind(text, span.end) : span.end, atHead }
    return last
  })
}

/** Looks back no further than the last cut, so that every character is looked at once. */
function isHead(text: string, last: Cut, start: number): boolean {
  let lineStart = start
  while (lineStart > last.end && text[lineStart - 1] !== '\n' && text[lineStart - 1] !== '\r') lineStart--
  if (start - lineStart > longestPrefix) return false
  const isSameLine = lineStart === last.end && last.end > last.start
  return isSameLine ? last.atHead && text.slice(lineStart, start).trim() === '' : marks.test(text.slice(lineStart, start))
}

/** Where the markers end that follow each other without a gap. */
function chainEnd(markers: readonly Marker[], index: number): number {
  let last = index
  while (markers[last + 1]?.span.start === markers[last]?.span.end) last++
  return markers[last]?.span.end ?? 0
}

/** Whether a space would be left before another, before punctuation, or at the end of a line. */
function leavesGap(text: string, end: number): boolean {
  return end >= text.length || /[\s.,;:!?)\]}…。，、]/.test(text.charAt(end))
}

/** At the head of a line the colon of a definition and the white space after go with the marker. */
function behind(text: string, markerEnd: number): number {
  let end = text[markerEnd] === ':' ? markerEnd + 1 : markerEnd
  while (text[end] === ' ' || text[end] === '\t') end++
  return end
}
