import { terms } from '@stickler/core/internal/relevance'
import type { Chunk } from '../../retrieval/index-engine.ts'
import { searchableText } from '../../retrieval/passage-text.ts'
import { cutCost, type LayOut, plainLayout } from './layout.ts'
import { markdownLayout } from './markdown-layout.ts'
import { urnOf } from './passage.ts'
import { passagesOf } from './passages.ts'

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
export const chunkingVersion = 2

/** Splits a document into chunks; its format follows from its name. */
export function chunksOf(path: string, text: string): readonly Chunk[] {
  const title = titleOf(path)
  return Array.from(passagesOf(text, layoutFor(path)), (passage) => ({
    urn: urnOf(path, passage),
    text: passage.text,
    headings: passage.headings,
    terms: terms(`${title}\n${searchableText(passage)}`),
  }))
}

/** A file name without its extension describes the document, as a heading does. */
function titleOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]{1,10}$/, '')
}
