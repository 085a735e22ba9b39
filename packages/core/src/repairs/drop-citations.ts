import { Answer } from '../answer/answer.ts'
import type { Certificate } from '../contract/certificate.ts'
import { findMarkers, supports } from '../validators/citations/inspect.ts'
import type { CitationStyle } from '../validators/citations/marker-body.ts'
import type { Marker } from '../validators/citations/marker-scanner.ts'
import { applyEdits } from './apply.ts'

/** Drops the markers that are malformed or name no source, when what is left reads just as before. */
export function* dropCitations(
  answer: Answer,
  styles: readonly CitationStyle[],
  sources = Number.POSITIVE_INFINITY,
): Generator<Certificate> {
  const markers = findMarkers(answer, styles)
  const certificates = cut(
    answer.text,
    markers.filter((marker) => !supports(marker, sources)),
  )
  const kept = markers.filter((marker) => supports(marker, sources))
  if (readsTheSame(applyEdits(answer.text, certificates), kept, styles)) yield* certificates
}

function cut(text: string, wrong: readonly Marker[]): Certificate[] {
  let end = 0
  /** The character that will stand before what is behind the last cut. */
  let left: string | undefined
  return wrong.map(({ span }, index) => {
    if (span.start > end || index === 0) left = text[span.start - 1]
    const takesSpace = left === ' ' && span.start > end && leavesGap(text, chainEnd(wrong, index))
    const start = takesSpace ? span.start - 1 : span.start
    if (takesSpace) left = text[span.start - 2]
    end = span.end + behind(text, span.end, left)
    return { rule: 'drop_citation', class: 'lossy', span: { start, end }, before: text.slice(start, end), after: '' }
  })
}

/** Where the markers end that follow each other without a gap. */
function chainEnd(wrong: readonly Marker[], index: number): number {
  let last = index
  while (wrong[last + 1]?.span.start === wrong[last]?.span.end) last++
  return wrong[last]?.span.end ?? 0
}

/** Whether a space would be left before another, before punctuation, or at the end of a line. */
function leavesGap(text: string, end: number): boolean {
  return end >= text.length || /[\s.,;:!?)\]}…。，、]/.test(text.charAt(end))
}

/** At the start of a line the colon of a definition and one space go with the marker. */
function behind(text: string, end: number, left: string | undefined): number {
  if (left !== undefined && left !== '\n' && left !== '\r') return 0
  const colon = text[end] === ':' ? 1 : 0
  return colon + (text[end + colon] === ' ' ? 1 : 0)
}

/** Without a marker the rest may become code, or another marker: then nothing is dropped. */
function readsTheSame(text: string | undefined, kept: readonly Marker[], styles: readonly CitationStyle[]): boolean {
  if (text === undefined) return false
  const left = findMarkers(new Answer(text), styles)
  return left.length === kept.length && left.every((marker, index) => isSame(marker, kept[index]))
}

function isSame(marker: Marker, other: Marker | undefined): boolean {
  return marker.fault === undefined && marker.numbers.join() === other?.numbers.join()
}
