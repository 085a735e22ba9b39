import type { Answer } from '../../answer/answer.ts'
import { type Finding, fact, type IssueDraft } from '../../contract/issue.ts'
import { findMarkers, supports, uncitedParagraphs, wellFormedCitations } from './inspect.ts'
import type { CitationStyle } from './marker-body.ts'
import type { Marker } from './marker-scanner.ts'
import type { CitationCode, CitationIssues } from './messages.ts'
import { sourcesUnknown } from './sources.ts'

/** So many markers, and so many paragraphs, are reported one by one. */
const mostIssues = 100

interface Demands {
  readonly styles: readonly CitationStyle[]
  readonly requireCitations: boolean | 'paragraph'
}

/** Yields the citations of an answer, and what is wrong with its markers. */
export function* citationFindings(
  answer: Answer,
  { styles, requireCitations }: Demands,
  sources: number | undefined,
  context: Readonly<Record<string, unknown>>,
  say: CitationIssues,
): Generator<Finding<CitationCode>, undefined> {
  const markers = findMarkers(answer, styles)
  const known = sources ?? Number.POSITIVE_INFINITY
  const supporting = markers.filter((marker) => supports(marker, known))
  const isRight = supporting.length === markers.length && requireCitations === false
  const wrong = isRight ? [] : [...wrongMarkers(markers, known, say), ...missingCitations(answer, supporting, requireCitations, say)]
  // What is wrong however many sources there are needs no number of them.
  if (sources === undefined && supporting.length > 0 && wrong.length === 0) throw sourcesUnknown(context)
  yield fact('citations', wellFormedCitations(markers))
  yield* wrong
}

function* wrongMarkers(markers: readonly Marker[], sources: number, say: CitationIssues): Generator<IssueDraft<CitationCode>> {
  const wrong = markers.filter((marker) => !supports(marker, sources))
  for (const marker of wrong.slice(0, mostIssues)) yield draft(marker, sources, say)
  const next = wrong[mostIssues]
  if (next) yield say.more(draft(next, sources, say).code, wrong.length - mostIssues, next.span)
}

function draft(marker: Marker, sources: number, say: CitationIssues): IssueDraft<CitationCode> {
  return marker.fault === undefined ? say.outOfRange(marker, sources) : say.malformed(marker, marker.fault)
}

function* missingCitations(
  answer: Answer,
  supporting: readonly Marker[],
  required: boolean | 'paragraph',
  say: CitationIssues,
): Generator<IssueDraft<CitationCode>> {
  // A turn that only calls tools says nothing yet that could be supported.
  if (required === false || (!answer.visible && answer.isBetween)) return
  const uncited = required === 'paragraph' ? uncitedParagraphs(answer, supporting).slice(0, mostIssues) : []
  for (const span of uncited) yield say.uncited(answer.text.slice(span.start, span.end), span)
  if (uncited.length === 0 && supporting.length === 0) yield say.missing()
}
