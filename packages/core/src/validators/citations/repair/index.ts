import { Answer } from '../../../answer/answer.ts'
import { spanHolds } from '../../../answer/span.ts'
import type { Certificate } from '../../../contract/certificate.ts'
import { applyEdits } from '../../../repairs/apply.ts'
import { findMarkers, supports } from '../findings.ts'
import type { CitationStyle } from '../marker-body.ts'
import type { Marker } from '../marker-scanner.ts'
import { type Cut, cutMarkers } from './cut-markers.ts'
import { sameOutline } from './same-outline.ts'
import { Shift } from './shift.ts'

const list = /^(?:\[\^?|【)[0-9]+(?: *[,;–-] *\^?[0-9]+)+[\]】†]/

/** Whether a marker lists several sources of which at least one exists: that one would be lost with it. */
function listsSource(marker: string, sources: number): boolean {
  const numbers = list.exec(marker)?.[0].match(/[0-9]+/g) ?? []
  return numbers.some((digits) => !digits.startsWith('0') && Number(digits) <= sources)
}

/** Characters that are something else side by side: parts of a word or number, of a link, a tag, an entity, or of emphasis. */
const joined = /^(?:[\p{L}\p{N}\p{M}_]{2}|\p{N}[.,:]\p{N}|\][(:]|!\[|<[A-Za-z/!?]|&[A-Za-z#]|([*_~])\1)/u
// backtracks: sticky, so it reads at most 999 characters
const definition = /\[[^\]\r\n]{1,999}\]:/y

/** Whether a cut would bring characters together that must not meet. */
function joinsText(text: string, cuts: readonly Cut[], bodyStart: number): boolean {
  let start = 0
  return cuts.some((cut, index) => {
    if (cuts[index - 1]?.end !== cut.start) start = cut.start
    if (cuts[index + 1]?.start === cut.end) return false
    definition.lastIndex = cut.end
    return (cut.atHead && definition.test(text)) || joined.test(lastCharacter(text, start, bodyStart) + text.slice(cut.end, cut.end + 4))
  })
}

/** What comes before an offset, as one character that may take two units. */
function lastCharacter(text: string, offset: number, from: number): string {
  return [...text.slice(Math.max(from, offset - 2), offset)].at(-1) ?? '\n'
}

/** Drops the markers that are malformed or name no source, when all of them can go and what is left reads just as before. */
export function* dropCitations(
  answer: Answer,
  styles: readonly CitationStyle[],
  sources = Number.POSITIVE_INFINITY,
): Generator<Certificate> {
  const { text, bodyStart, frontMatters } = answer
  const markers = findMarkers(answer, styles)
  const wrong = markers.filter((marker) => !supports(marker, sources))
  // What is shown as a marker but written otherwise may hold half of something else.
  if (wrong.some(({ span }) => !/^(?:\[(?:\^|[0-9])|【[0-9])/.test(text.slice(span.start, span.start + 2)))) return
  // With one wrong marker left the answer would stay wrong, so the others need not go either.
  if (wrong.some(({ span }) => spanHolds(frontMatters, span.start) || listsSource(text.slice(span.start, span.end), sources))) return
  const cuts = cutMarkers(text, wrong, bodyStart)
  if (joinsText(text, cuts, bodyStart)) return
  const certificates = cuts.map(({ start, end }) => certify(text, start, end))
  const rest = applyEdits(text, certificates)
  const shift = new Shift(text, cuts)
  const kept = markers.filter((marker) => supports(marker, sources))
  if (rest === undefined || !sameMarkers(kept, findMarkers(new Answer(rest), styles), shift)) return
  if (sameOutline(text, rest, shift)) yield* certificates
}

function certify(text: string, start: number, end: number): Certificate {
  return { rule: 'drop_citation', class: 'lossy', span: { start, end }, before: text.slice(start, end), after: '' }
}

function sameMarkers(kept: readonly Marker[], left: readonly Marker[], shift: Shift): boolean {
  const isSame = ({ span, fault, numbers }: Marker, other: Marker | undefined): boolean =>
    fault === undefined && other !== undefined && span.start === shift.at(other.span.start) && numbers.join() === other.numbers.join()
  return left.length === kept.length && left.every((marker, index) => isSame(marker, kept[index]))
}
