import { Answer } from '@stickler/core'
import { clamp } from '@stickler/core/internal'
import type { DocumentLine } from './document-lines.ts'
import { type CutCost, cutCost, type LayOut } from './layout.ts'

/** Longer headings are cut where they are repeated. */
const longestHeading = 200

/**
 * Markdown is split at headings; code blocks, front matter, tables and list items stay whole where
 * possible.
 */
export const markdownLayout: LayOut = (text, lines) => {
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
