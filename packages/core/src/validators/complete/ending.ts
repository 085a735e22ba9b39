import type { Answer } from '../../answer/answer.ts'
import type { TextSpan } from '../../answer/span.ts'
import { endsInQuotation } from '../shared/open-quotation.ts'

/** The kinds of ends that are none. */
export const endKinds = ['sentence', 'list', 'fence'] as const

/** What an answer breaks off in. */
export type EndKind = (typeof endKinds)[number]

/** Words that no sentence, title or item ends with. */
const dangling: ReadonlySet<string> = new Set(
  "the a an and or because although whereas your my our their its whose every i'm we're you're they're i've we've you've they've i'll we'll you'll they'll he'll she'll it'll der den dem des ein eine einen einem einer eines und oder weil dass sowie".split(
    ' ',
  ),
)

/** What somebody says who has cut the text. */
const cutMark = /(?:\.{3}|…)\s*[[(](?:truncated|gekürzt|abgeschnitten)[\])]$/i
const signOff =
  /^(?:sincerely|best|kind|warm|warmest|regards|yours|respectfully|thanks|thank you|cheers|love|with|mit|viele|beste|herzliche|liebe)(?![\p{L}]).{0,40},$/iu
const marker = /^(?:[-*+•]|\d{1,3}[.)]|[a-z][.)])(?:\s+|$)/i
/** A line of a program, a formula, a table or a list of data: it needs no full stop. */
const otherThanProse = /[{}=<>\\$|@_;]|\(\)|::|\s{3}|\t|https?:|www\.|#\S|\S\/\S*\/|^\s{4}/
/** Lines that are no prose: items, headings, tables, quotes, code, and lines in bold. */
const other = /^(?:[-*+•] |\d{1,3}[.)] |[#|>`~]|[*_]{2}[^*_]+[*_]{2}$)/
/** A sentence that ends, and the next one that begins; initials and abbreviations end none. */
const sentences = /\p{Ll}{3}[.!?]["”“')*_]{0,3} {1,2}["“„(*_]{0,3}\p{Lu}/u
const terminal = /[.!?…。！？।॥؟۔]$/u
/** Behind the last letter: quotes, brackets, marks of emphasis, emoji and symbols. */
const closed = /[\p{Pe}\p{Pf}\p{Pi}\p{S}"'*_~`%°’]$/u

/** A shorter text without a full stop may be a name, a title or an item. */
const fewestWords = 8
/** A line with several sentences has more. */
const fewestOfSeveral = 12
/** So many characters before the end are looked at, and so many lines. */
const reach = 20_000
const mostLines = 60
const longestLine = 2_000

/** Where and in what an answer breaks off; undefined when it may be complete. */
export function findEnd(answer: Answer, kinds: readonly EndKind[]): { readonly kind: EndKind; readonly span: TextSpan } | undefined {
  const { text, bodyStart } = answer
  let end = text.length
  while (end > bodyStart && /\s/.test(text.charAt(end - 1))) end--
  if (end === bodyStart) return undefined
  const block = answer.codeBlocks.at(-1)
  if (block && block.span.end >= end)
    return block.closed || !kinds.includes('fence') ? undefined : { kind: 'fence', span: { start: block.span.start, end } }
  if (answer.frontMatters.at(-1)?.span.end === end || (answer.headings.at(-1)?.span.end ?? 0) >= end) return undefined
  const lines = linesBefore(text, Math.max(bodyStart, end - reach), end)
  const kind = breaksOffIn(lines)
  if (kind === undefined || !kinds.includes(kind)) return undefined
  const last = lines.at(-1) ?? ''
  return { kind, span: { start: end - shownOf(last).length, end } }
}

/** The most characters of the end that a message shows. */
const longestShown = 60

/** The end of a line, in whole words. */
function shownOf(line: string): string {
  const shown = line.trimStart()
  if (shown.length <= longestShown) return shown
  const tail = shown.slice(-longestShown - 1)
  const space = tail.search(/\s/)
  return space < 0 ? tail.slice(1) : tail.slice(space + 1)
}

/** The last lines with text, in order; empty lines between them are kept as one. */
function linesBefore(text: string, from: number, end: number): string[] {
  const lines = text.slice(from, end).split(/\r\n|[\r\n]/)
  return lines.slice(-mostLines).map((line) => (line.length > longestLine ? line.slice(-longestLine) : line).trimEnd())
}

/** What the last of these lines breaks off in. */
function breaksOffIn(lines: readonly string[]): EndKind | undefined {
  const last = lines.at(-1) ?? ''
  const line = last.trim()
  if (cutMark.test(line)) return 'sentence'
  const before = lines.slice(0, -1).filter((one) => one.trim() !== '')
  if (line.startsWith('|')) return !line.endsWith('|') && before.at(-1)?.trim().endsWith('|') ? 'list' : undefined
  const mark = marker.exec(line)?.[0]
  const kind = mark === undefined ? 'sentence' : 'list'
  const said = mark === undefined ? line : line.slice(mark.length)
  // A mark alone begins an item, unless it is the answer.
  if (said === '') return before.length > 0 ? 'list' : undefined
  if (terminal.test(said)) return undefined
  return isCut(said, last, mark, before) ? kind : undefined
}

function isCut(said: string, last: string, mark: string | undefined, before: readonly string[]): boolean {
  const words = said.split(/\s+/)
  const word = (words.at(-1) ?? '')
    .toLowerCase()
    .replace('’', "'")
    .replace(/^["'(*_[“]+/, '')
  if (/^<(?:https?:|www\.)[^>]*$/.test(words.at(-1) ?? '')) return true
  if (closed.test(said) || otherThanProse.test(last)) return false
  if (signOff.test(said)) return false
  if (dangling.has(word) && (words.length > 2 || mark !== undefined)) return true
  if (/[,:：，、；]$/.test(said)) return words.length > 2 || /[\p{Lo}]/u.test(said)
  if (/\s[-–—]$/.test(said)) return words.length > 4
  if (isOpen(said)) return words.length > 2
  // Who ends one sentence of a line ends them all.
  if (words.length >= fewestOfSeveral && sentences.test(said)) return /[\p{L}\p{N}]$/u.test(said)
  // A capital begins a name or a title.
  const tail = /[\p{Ll}\p{Lo}]$/u.test(said) && !/^\p{Lu}/u.test(words.at(-1) ?? '')
  if (!tail || !isLong(said)) return false
  return mark === undefined ? endsSentences(before) : endsItems(before, mark)
}

/** Whether brackets, emphasis or code begin on a line and do not end. */
function isOpen(line: string): boolean {
  const count = (piece: string): number => line.split(piece).length - 1
  return count('(') > count(')') || count('**') % 2 === 1 || count('`') % 2 === 1 || endsInQuotation(line)
}

function isLong(line: string): boolean {
  return line.split(/\s+/).length >= fewestWords || /\p{Lo}{16}/u.test(line)
}

/** Whether the text before is in sentences: verses and lists of names have no full stops. */
function endsSentences(before: readonly string[]): boolean {
  const prose = before.filter((line) => !other.test(line.trim()) && isLong(line.trim()))
  const ended = prose.filter(ends).length
  if (prose.length >= 2) return ended >= prose.length * 0.8
  // A line without a sentence before it may be a title.
  if (ended === 0) return false
  const last = before.at(-1)?.trim()
  return last === undefined || other.test(last) || ends(last) || last.split(/\s+/).length <= 3
}

/** Whether the items before end in full stops, unlike the last one. */
function endsItems(before: readonly string[], mark: string): boolean {
  const isSame = (line: string): boolean => /^\d/.test(line) === /^\d/.test(mark)
  const items = before.map((line) => line.trim()).filter((line) => marker.test(line) && isSame(line))
  return items.length >= 2 && items.slice(-5).every(ends)
}

function ends(line: string): boolean {
  return /[.!?…。！？।॥؟۔][\p{Pe}\p{Pf}"'*_)\]]{0,4}$/u.test(line.trim())
}
