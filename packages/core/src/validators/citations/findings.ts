import type { Answer } from '../../answer/answer.ts'
import type { TextSpan } from '../../answer/span.ts'
import { type Finding, fact, type IssueDraft } from '../../contract/issue.ts'
import { ValidatorUnavailable } from '../../contract/validator-unavailable.ts'
import { type Citation, citationOf } from './citation.ts'
import type { CitationStyle } from './marker-body.ts'
import { type Marker, MarkerScanner } from './marker-scanner.ts'
import type { CitationCode, CitationIssues } from './messages.ts'
import { isProse, Paragraphs } from './paragraphs.ts'

/** So many markers, and so many paragraphs, are reported one by one. */
const mostIssues = 100

interface Demands {
  readonly styles: readonly CitationStyle[]
  readonly requireCitations: boolean | 'paragraph'
}

/** The citations of an answer, and what is wrong with its markers. */
export function citationFindings(
  answer: Answer,
  { styles, requireCitations }: Demands,
  sources: number | undefined,
  context: Readonly<Record<string, unknown>>,
  say: CitationIssues,
): readonly Finding<CitationCode>[] {
  const markers = findMarkers(answer, styles)
  const known = sources ?? Number.POSITIVE_INFINITY
  const supporting = markers.filter((marker) => supports(marker, known))
  const isRight = supporting.length === markers.length && requireCitations === false
  const wrong = isRight ? [] : [...wrongMarkers(markers, known, say), ...missingCitations(answer, supporting, requireCitations, say)]
  // What is wrong however many sources there are needs no number of them.
  if (sources === undefined && supporting.length > 0 && wrong.length === 0) throw sourcesUnknown(context)
  return [fact('citations', wellFormedCitations(markers)), ...wrong]
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

/** The markers of an answer outside of reasoning, code blocks and inline code, in text order. */
export function findMarkers(answer: Answer, styles: readonly CitationStyle[]): Marker[] {
  const found: Marker[] = []
  const { text, bodyStart } = answer
  const scanner = new MarkerScanner(styles, (marker) => found.push(marker))
  scanner.push(text, 0, bodyStart)
  scanner.end(text.length)
  return found.filter(({ span }) => !answer.inCode(span.start))
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
function wellFormedCitations(markers: readonly Marker[]): Citation[] {
  const found: Citation[] = []
  for (const { numbers, span } of markers) for (const number of numbers) found.push(citationOf(number, span))
  return found
}

/** The paragraphs of prose that no marker supports. */
function uncitedParagraphs(answer: Answer, supporting: readonly Marker[]): TextSpan[] {
  let next = 0
  const uncited: TextSpan[] = []
  const paragraphs = new Paragraphs(({ start, end }) => answer.text.slice(start, end))
  for (let one = paragraphs.first(answer); one !== undefined; one = paragraphs.first(answer)) {
    paragraphs.take()
    while ((supporting[next]?.span.start ?? Number.POSITIVE_INFINITY) < one.start) next++
    const isCited = (supporting[next]?.span.start ?? Number.POSITIVE_INFINITY) < one.end
    if (!isCited && isProse(one, answer)) uncited.push({ start: one.start, end: one.end })
  }
  return uncited
}

type Context = Readonly<Record<string, unknown>>

/** The number of sources in the context, at most the one of the options, which a client cannot exceed; undefined when neither is known. */
export function countSources(context: Context, ceiling: number | undefined): number | undefined {
  const sources = givenSources(context)
  if (sources === undefined) return ceiling
  const count = Array.isArray(sources) ? sources.length : sources
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 0) return undefined
  return ceiling === undefined ? count : Math.min(count, ceiling)
}

/** Reports that markers cannot be judged, since the number of sources is unknown. */
export function sourcesUnknown(context: Context): ValidatorUnavailable {
  return new ValidatorUnavailable(
    givenSources(context) === undefined
      ? 'the number of sources is unknown: give `sources` with the answer (in its context, or in its JSON line), or the option `sources`'
      : 'the `sources` that are given with the answer are neither a list nor a whole number from 0',
  )
}

/** A JSON line may have them beside its text or in its own context, which is then a part of the context. */
function givenSources({ sources, context }: Context): unknown {
  if (sources !== undefined && sources !== null) return sources
  return typeof context === 'object' && context !== null && 'sources' in context ? (context.sources ?? undefined) : undefined
}
