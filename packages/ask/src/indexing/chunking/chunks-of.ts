import { Answer } from '@stickler/core'
import { clamp } from '@stickler/core/internal'
import { terms } from '@stickler/core/internal/relevance'
import type { Chunk } from '../../retrieval/index-engine.ts'
import { type CutCost, cutCost, type DocumentLine, type LayOut, plainLayout } from './layout.ts'
import { passagesOf, urnOf } from './passages.ts'

/** Longer headings are cut where they are repeated. */
const longestHeading = 200

/**
 * Markdown is split at headings; code blocks, front matter, tables and list items stay whole where
 * possible.
 */
const markdownLayout: LayOut = (text, lines) => {
  const document = new Answer(text)
  const lineAt = lineFinder(lines)
  const inside = new Set<number>()
  const items = new Set(document.listItems.map(({ span }) => lineAt(span.start)))
  const begins = new Set<number>()
  const headingLines = new Set<number>()
  const paths = new Map<number, readonly string[]>()
  for (const { span } of [...document.codeBlocks, ...document.frontMatters]) {
    for (let at = lineAt(span.start) + 1; at <= lineAt(Math.max(span.start, span.end - 1)); at++) inside.add(at)
  }
  // What follows front matter is not part of it.
  for (const { span, atStart } of document.frontMatters) if (atStart) begins.add(lineAt(Math.max(span.start, span.end - 1)) + 1)
  let above: readonly { readonly level: number; readonly text: string }[] = []
  for (const heading of document.headings) {
    if (heading.nested) continue
    const first = lineAt(heading.span.start)
    above = [...above.filter(({ level }) => level < heading.level), { level: heading.level, text: clamp(heading.text, longestHeading) }]
    begins.add(first)
    paths.set(
      first,
      above.map((one) => one.text),
    )
    for (let at = first; at <= lineAt(Math.max(heading.span.start, heading.span.end - 1)); at++) headingLines.add(at)
  }
  const headings = everyLine(lines.length, paths)
  return { begins, headingLines, headingsAt: (at) => headings[at] ?? [], cost: (at) => costBefore(at, lines, inside, items) }
}

function costBefore(at: number, lines: readonly DocumentLine[], inside: ReadonlySet<number>, items: ReadonlySet<number>): CutCost {
  const before = lines[at - 1]
  if (before === undefined) return cutCost.part
  if (inside.has(at)) return before.isBlank ? cutCost.line : cutCost.inside
  const { text = '' } = lines[at] ?? {}
  if (before.isBlank) {
    const continues = /^(?: {2}|\t)/.test(text) || lines[at - 2]?.text.trimEnd().endsWith(':')
    return continues ? cutCost.item : cutCost.part
  }
  return items.has(at) ? cutCost.item : cutCost.line
}

/** Finds the line of an offset. */
function lineFinder(lines: readonly DocumentLine[]): (offset: number) => number {
  return (offset) => {
    let low = 0
    let high = lines.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((lines[middle]?.start ?? 0) <= offset) low = middle + 1
      else high = middle
    }
    return Math.max(0, low - 1)
  }
}

function everyLine(count: number, paths: ReadonlyMap<number, readonly string[]>): readonly (readonly string[])[] {
  let path: readonly string[] = []
  return Array.from({ length: count }, (_, at) => {
    path = paths.get(at) ?? path
    return path
  })
}

/** Plain text is split between paragraphs, else after sentences that end a line. */
const textLayout: LayOut = (_, lines) =>
  plainLayout((at) => {
    const before = lines[at - 1]
    if (before === undefined || before.isBlank) return cutCost.part
    return /[.!?…]["')\]]?\s*$/.test(before.text.slice(-8)) ? cutCost.item : cutCost.line
  })

/** What ends a block rather than starts one. */
const closing = /^(?:[)\]}>]|end\b|else\b|elif\b|except\b|finally\b|catch\b)/

/** Code is split between definitions: after a blank line, before an unindented line. */
const codeLayout: LayOut = (_, lines) =>
  plainLayout((at) => {
    const { text = '' } = lines[at] ?? {}
    const isAtMargin = !/^\s/.test(text) && !closing.test(text)
    if (lines[at - 1]?.isBlank ?? true) return isAtMargin ? cutCost.part : cutCost.item
    return isAtMargin ? cutCost.line : cutCost.inside
  })

const markdown = new Set(['md', 'markdown', 'mdown', 'mdx', 'mkd', 'qmd'])

const text = new Set(['', 'adoc', 'asciidoc', 'csv', 'log', 'org', 'rst', 'srt', 'tex', 'text', 'tsv', 'txt', 'vtt'])

/** How a document is split, by its extension: Markdown, plain text, and everything else as code. */
export function layoutFor(path: string): LayOut {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const dot = name.lastIndexOf('.')
  const ending = dot <= 0 ? '' : name.slice(dot + 1).toLowerCase()
  if (markdown.has(ending)) return markdownLayout
  return text.has(ending) ? textLayout : codeLayout
}

/** Version of the chunking: documents chunked by another version are indexed again. */
export const chunkingVersion = 3

/** How often the file name and the headings of a passage count: they say what it is about, its words may only mention it. */
const labelWeight = 4

/** Splits a document into chunks; its format follows from its name. */
export function chunksOf(path: string, text: string): readonly Chunk[] {
  const title = titleOf(path)
  return Array.from(passagesOf(text, layoutFor(path)), (passage) => ({
    urn: urnOf(path, passage),
    text: passage.text,
    headings: passage.headings,
    terms: [
      ...new Array<readonly string[]>(labelWeight).fill(terms([title, ...passage.headings].join('\n'))).flat(),
      ...terms(passage.text),
    ],
  }))
}

/** A file name without its extension describes the document, as a heading does. */
function titleOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]{1,10}$/, '')
}
