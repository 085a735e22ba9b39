import { Answer } from '../../../answer/answer.ts'
import type { Heading } from '../../../answer/outline.ts'
import { AnswerReader } from '../../../answer/reader.ts'
import type { TextSpan } from '../../../answer/span.ts'
import { countVisible, Shift } from './shift.ts'

/** Whether a text has the same reasoning, blocks and inline code as before something was cut out of it. */
export function sameOutline(before: string, after: string, shift: Shift): boolean {
  const place = placer(after)
  const expected = sketch(before, shift, place, (span) => startsLine(before, span) && place(span, shift) === nowhere)
  const found = sketch(after, new Shift(after, []), place, () => false)
  return expected.length === found.length && expected.every((line, index) => line === found[index])
}

type Place = (span: TextSpan, shift: Shift) => string

const nowhere = 'nowhere'

/** Writes down where spans of the old text are in the new one, without the white space around. */
function placer(after: string): Place {
  return (span, shift) => {
    let start = shift.at(span.start)
    let end = shift.at(span.end)
    while (start < end && isWhite(after, start)) start++
    while (end > start && isWhite(after, end - 1)) end--
    return start < end ? `${start}-${end}` : nowhere
  }
}

/** One line for everything that an answer is made of. */
function sketch(text: string, shift: Shift, place: Place, vanishes: (inline: TextSpan) => boolean): string[] {
  const reader = new AnswerReader()
  reader.push(text)
  reader.end()
  const { bodyStart, headings, codeBlocks, listItems, frontMatters, inlines } = reader
  const { inlineCode } = new Answer(text, { reader })
  return [
    `body ${shift.at(bodyStart)}`,
    ...headings.map((heading) => `heading ${heading.level} ${heading.nested} ${place(heading.span, shift)} ${lengthOf(heading, shift)}`),
    ...codeBlocks.map(
      ({ char, length, info, closed, nested, span, content }) =>
        `code ${char} ${length} ${closed} ${nested} ${place(span, shift)} ${info}\n${content}`,
    ),
    ...listItems.map(({ checked, span }) => `item ${checked} ${place(span, shift)}`),
    ...frontMatters.map(({ atStart, span }) => `front matter ${atStart} ${place(span, shift)}`),
    ...inlines.filter((span) => !vanishes(span)).map((span) => `inline ${place(span, shift)}`),
    ...inlineCode.map((span) => `inline code ${place(span, shift)}`).filter((line) => !line.endsWith(nowhere)),
  ]
}

/** A heading that has lost all its text is no longer the same. */
function lengthOf({ text, span }: Heading, shift: Shift): number | 'emptied' {
  const lost = shift.lost(span)
  const length = countVisible(text) - lost
  return lost > 0 && length <= 0 ? 'emptied' : length
}

/** Whether nothing comes before a block on its line: without a mark of a list or quote it may vanish when nothing is left of it. */
function startsLine(text: string, { start }: TextSpan): boolean {
  let at = start
  while (at > 0 && (text[at - 1] === ' ' || text[at - 1] === '\t')) at--
  return at === 0 || text[at - 1] === '\n' || text[at - 1] === '\r'
}

function isWhite(text: string, index: number): boolean {
  return text.charAt(index).trim() === ''
}
