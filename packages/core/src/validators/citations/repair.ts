import { Answer } from '../../answer/answer.ts'
import { spanHolds, type TextSpan } from '../../answer/span.ts'
import type { Certificate } from '../../contract/certificate.ts'
import { applyEdits } from '../../repairs/apply.ts'
import type { CitationStyle } from './marker-body.ts'
import { findMarkers, type Marker, supports } from './marker-scanner.ts'
import { isDefinition } from './paragraphs.ts'

function withoutSpace(text: string): string {
  return text.replace(/\s+/g, '')
}

/** One line for everything that a text is made of, with what is shown of it. */
function sketch(text: string, shown: string): string[] {
  const answer = new Answer(text)
  const show = ({ start, end }: TextSpan, from = shown): string => withoutSpace(from.slice(start, end))
  return [
    `body ${answer.bodyStart}`,
    // A heading that has lost all its text is no longer the same.
    ...answer.headings.map(({ level, nested, text: title, span }) => {
      const lost = show(span, text).length - show(span).length
      return `heading ${level} ${nested} ${title === ''} ${withoutSpace(title).length - lost} ${show(span)}`
    }),
    ...answer.codeBlocks.map(
      ({ char, length, info, closed, nested, content }) => `code ${char} ${length} ${closed} ${nested} ${info}\n${content}`,
    ),
    ...answer.listItems.map(({ checked, span }) => `item ${checked} ${show(span)}`),
    ...answer.frontMatters.map(({ atStart, content }) => `front matter ${atStart} ${content}`),
    ...answer.inlines.filter((span) => show(span) !== '' || !startsLine(text, span)).map((span) => `inline ${show(span)}`),
    ...answer.inlineCode.map((span) => `inline code ${show(span)}`).filter((line) => !line.endsWith(' ')),
  ]
}

/** Whether nothing comes before a block on its line: without a mark of a list or quote it may vanish when nothing is left of it. */
function startsLine(text: string, { start }: TextSpan): boolean {
  let at = start
  while (at > 0 && (text[at - 1] === ' ' || text[at - 1] === '\t')) at--
  return at === 0 || text[at - 1] === '\n' || text[at - 1] === '\r'
}

/** What goes with one marker. */
interface Cut extends TextSpan {
  /** Whether nothing but marks of quotes, lists and headings is left before it on its line. */
  readonly atHead: boolean
}

/** More marks before the text of a line are none. */
const longestPrefix = 1000
const marks = /^\ufeff?[ \t]*(?:(?:>|(?:[-+*]|[0-9]{1,9}[.)]|#{1,6})(?=[ \t]))[ \t]*)*$/

/** What goes with each marker: white space that would be left over, and the colon of a definition. */
function cutMarkers(text: string, markers: readonly Marker[], bodyStart: number): Cut[] {
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

/** A marker that is written as it is shown. */
const plain = /^(?:\[\^|[[【][-–0-9,; ]+[\]】†])/
const list = /^(?:\[\^?|【)[0-9]+(?: *[,;–-] *\^?[0-9]+)+[\]】†]/

/** Whether a marker lists several sources of which at least one exists: that one would be lost with it. */
function listsSource(marker: string, sources: number): boolean {
  const numbers = list.exec(marker)?.[0].match(/[0-9]+/g) ?? []
  return numbers.some((digits) => !digits.startsWith('0') && Number(digits) <= sources)
}

/** Characters that are something else side by side: parts of a word or number, of a link, a tag, an entity, or of emphasis. */
const joined = /^(?:[\p{L}\p{N}\p{M}_]{2}|\p{N}[.,:]\p{N}|\][(:]|!\[|<[A-Za-z/!?]|&[A-Za-z#]|([*_~])\1)/u

/** Whether a cut would bring characters together that must not meet. */
function joinsText(text: string, cuts: readonly Cut[], bodyStart: number): boolean {
  let start = 0
  return cuts.some((cut, index) => {
    if (cuts[index - 1]?.end !== cut.start) start = cut.start
    if (cuts[index + 1]?.start === cut.end) return false
    return (
      (cut.atHead && isDefinition(text, cut.end)) || joined.test(lastCharacter(text, start, bodyStart) + text.slice(cut.end, cut.end + 4))
    )
  })
}

/** What comes before an offset, as one character that may take two units. */
function lastCharacter(text: string, offset: number, from: number): string {
  return [...text.slice(Math.max(from, offset - 2), offset)].at(-1) ?? '\n'
}

/** A marker with a second caret, as some models write it, and its number. */
const doubled = /^\[\^([1-9][0-9]{0,9})\^\]$/

/** Whether a marker names a source but for a second caret, `[^1^]`. */
export function isDoubled({ text }: Pick<Marker, 'text'>, sources = Number.POSITIVE_INFINITY): boolean {
  return Number(doubled.exec(text)?.[1] ?? Number.POSITIVE_INFINITY) <= sources
}

/** Takes the second caret out of markers, `[^1^]`. */
export function* trimCarets(answer: Answer, styles: readonly CitationStyle[], sources?: number): Generator<Certificate> {
  for (const marker of findMarkers(answer, styles)) {
    const { end } = marker.span
    if (isDoubled(marker, sources))
      yield { rule: 'trim_citation', class: 'lossless', span: { start: end - 2, end: end - 1 }, before: '^', after: '' }
  }
}

/** A class of characters of a regular expression: with signs, a range or an escape in it, or with how often it occurs behind it. */
const characterClass = /^\[\^(?:[^\]\r\n]{0,99}[\\"'<>/|=&@#$%(){}]|.-.|[^\p{L}\p{N}\s]\])|^[^\]\r\n]{0,99}\](?:[+{?]|\*(?!\*))/u

/** Whether one of the markers may be code: a class of characters, or in a block that is only indented. */
function mayBeCode({ text, inlines }: Answer, markers: readonly Marker[]): boolean {
  const prose = inlines.map((span) => ({ span }))
  return markers.some(({ span: { start } }) => {
    if (text.startsWith('[^', start) && characterClass.test(text.slice(start, start + 104))) return true
    if (spanHolds(prose, start)) return false
    const before = text.slice(Math.max(0, start - longestPrefix), start)
    return /^(?: {4}| {0,3}\t)/.test(before.slice(Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1))
  })
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
  if (mayBeCode(answer, wrong)) return
  // What is shown as a marker but written otherwise may hold half of something else.
  if (wrong.some(({ span }) => !plain.test(text.slice(span.start, span.end)))) return
  // With one wrong marker left the answer would stay wrong, so the others need not go either.
  if (wrong.some(({ span }) => spanHolds(frontMatters, span.start) || listsSource(text.slice(span.start, span.end), sources))) return
  const cuts = cutMarkers(text, wrong, bodyStart)
  if (joinsText(text, cuts, bodyStart)) return
  const certificates = cuts.map(({ start, end }) => certify(text, start, end))
  const rest = applyEdits(text, certificates)
  if (rest === undefined) return
  const kept = markers.filter((marker) => supports(marker, sources))
  const left = findMarkers(new Answer(rest), styles)
  const isSame = left.length === kept.length && left.every((one, index) => one.text === kept[index]?.text && one.fault === undefined)
  let shown = ''
  for (const { start, end } of cuts) shown += text.slice(shown.length, start) + ' '.repeat(end - start)
  shown += text.slice(shown.length)
  if (isSame && sketch(text, shown).join('\0') === sketch(rest, rest).join('\0')) yield* certificates
}

function certify(text: string, start: number, end: number): Certificate {
  return { rule: 'drop_citation', class: 'lossy', span: { start, end }, before: text.slice(start, end), after: '' }
}
