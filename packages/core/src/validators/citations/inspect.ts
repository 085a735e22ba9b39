import type { Answer } from '../../answer/answer.ts'
import type { TextSpan } from '../../answer/span.ts'
import type { CitationStyle } from './marker-body.ts'
import { type Marker, MarkerScanner } from './marker-scanner.ts'
import { isProse } from './paragraphs.ts'
import { type Citation, citationOf } from './reddb/parse.ts'

/** The markers of an answer outside of reasoning, code blocks and inline code, in text order. */
export function findMarkers(answer: Answer, styles: readonly CitationStyle[]): Marker[] {
  const found: Marker[] = []
  const { text, bodyStart } = answer
  const scanner = new MarkerScanner(styles, (marker) => found.push(marker))
  scanner.push(text, 0, bodyStart)
  scanner.end(text.length)
  if (isMarked(text)) return found
  return found.filter(({ span }) => !answer.inCode(span.start))
}

/** Whether renderers differ on how an answer begins: for some a byte order mark is nothing, for others it starts a paragraph. */
export function isMarked(text: string): boolean {
  return text.charCodeAt(0) === 0xfeff && text.length > 1 && !/^\p{L}/u.test(text.slice(1, 3))
}

/** Whether a marker names a source that does not exist. */
export function isOutOfRange({ numbers }: Pick<Marker, 'numbers'>, sources: number): boolean {
  return numbers.some((number) => number > sources)
}

/** Whether a marker supports the text before it: it is well-formed and names only sources that exist. */
export function supports(marker: Pick<Marker, 'numbers' | 'fault'>, sources: number): boolean {
  return marker.fault === undefined && !isOutOfRange(marker, sources)
}

/** The citations of well-formed markers; one that names several sources is several citations. */
export function wellFormedCitations(markers: readonly Marker[]): Citation[] {
  const found: Citation[] = []
  for (const { numbers, span } of markers) for (const number of numbers) found.push(citationOf(number, span))
  return found
}

/** The paragraphs of prose that no marker supports. */
export function uncitedParagraphs(answer: Answer, supporting: readonly Marker[]): TextSpan[] {
  let next = 0
  return answer.inlines.filter((span) => {
    while ((supporting[next]?.span.start ?? Number.POSITIVE_INFINITY) < span.start) next++
    if ((supporting[next]?.span.start ?? Number.POSITIVE_INFINITY) < span.end) return false
    return isProse(answer.text.slice(span.start, span.end), span, answer)
  })
}
