import { isHtmlBlockName } from '../../answer/markdown/html-block.ts'
import type { TextSpan } from '../../answer/span.ts'

/** A paragraph or heading, with the text that it shows. */
export interface Paragraph extends TextSpan {
  readonly shown: string
}

/** Text in them is not prose: headings, lists, tables, captions, code, and what is not shown. */
const quiet: ReadonlySet<string> = new Set(
  'h1 h2 h3 h4 h5 h6 ul ol menu dl li dt dd table caption td th select summary figcaption legend title svg math pre script style template textarea'.split(
    ' ',
  ),
)

/** Deeper elements are not told apart. */
const mostOpen = 64

/** Elements that a slash before the end of their tag closes. */
const foreign: ReadonlySet<string> = new Set(['svg', 'math'])

/** Beginnings of comments, and tags with their names. */
const marks = /<!--|<(\/?)([a-z][a-z0-9-]*)(?:[\s/][^<>]*)?>/gi
/** What ends a comment, as browsers read it. */
const commentEnds = /--!?>/g

/** The paragraphs that a block of HTML shows: from one tag of a block to the next, with their text as it is without tags. */
export function* htmlParagraphs(html: string, offset: number): Generator<Paragraph> {
  const open: string[] = []
  let start = 0
  let at = 0
  let shown = ''
  for (const { 0: mark, 1: slash, 2: tag, index } of html.matchAll(marks)) {
    // Within a comment.
    if (index < at) continue
    const name = tag?.toLowerCase() ?? ''
    if (open.length === 0) shown += html.slice(at, index)
    at = tag === undefined ? endOfComment(html, index) : index + mark.length
    if (!quiet.has(name) && !isHtmlBlockName(name)) continue
    if (shown.trim() !== '') yield paragraph(html, start, index, offset, shown)
    shown = ''
    start = at
    if (!quiet.has(name)) continue
    if (foreign.has(name) && mark.endsWith('/>')) continue
    if (slash === '' && open.length < mostOpen) open.push(name)
    else if (slash !== '' && open.includes(name)) open.length = open.lastIndexOf(name)
  }
  if (open.length === 0) shown += html.slice(at)
  if (shown.trim() !== '') yield paragraph(html, start, html.length, offset, shown)
}

/** Where a comment ends that begins there; one without an end goes on to the end. */
function endOfComment(html: string, from: number): number {
  const empty = /^-?>/.exec(html.slice(from + 4, from + 6))?.[0]
  if (empty !== undefined) return from + 4 + empty.length
  commentEnds.lastIndex = from + 4
  return commentEnds.exec(html) === null ? html.length : commentEnds.lastIndex
}

function paragraph(html: string, from: number, to: number, offset: number, shown: string): Paragraph {
  const text = html.slice(from, to)
  const start = offset + from + text.length - text.trimStart().length
  return { start, end: start + text.trim().length, shown }
}
